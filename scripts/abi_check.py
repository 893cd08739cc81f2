"""Hold what our headers declare against a CANN toolkit: `make abi ASCEND_HOME_PATH=DIR`.

Reads our declarations with the compiler itself (functions and their types, enumerators, constants,
struct layouts), writes them down as static assertions and compiles those against the toolkit's
headers. The tests compile the same assertions from facts about CANN against our headers.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
GENERATED = ROOT / "build" / "include"


@dataclass
class Declarations:
    """What headers declare, or ought to. Keys are names of C, values what the compiler says."""

    functions: dict[str, str] = field(default_factory=dict)  # name -> "aclError(void**, size_t)"
    headers: dict[str, str] = field(default_factory=dict)  # function -> file that declares it
    values: dict[str, int] = field(default_factory=dict)  # enumerators, constants and macros
    enums: dict[str, list[str]] = field(default_factory=dict)  # type -> its enumerators
    fields: dict[str, list[str]] = field(default_factory=dict)  # struct or union -> its fields
    sizes: dict[str, int] = field(default_factory=dict)  # struct or union -> sizeof
    layout: dict[str, tuple[int, int]] = field(default_factory=dict)  # "type.field" -> offset, size


def runtime_headers(include: Path = INCLUDE) -> list[str]:
    """Return the headers kept by hand, as programs name them."""
    return sorted(str(p.relative_to(include)) for p in include.rglob("*.h"))


def operator_headers(generated: Path = GENERATED) -> list[str]:
    return sorted(str(p.relative_to(generated)) for p in (generated / "aclnnop").glob("*.h"))


def includes(headers: list[str]) -> str:
    return "".join(f'#include "{h}"\n' for h in headers)


def run(command: list[str], text: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def compiler(language: str) -> list[str]:
    return shlex.split(os.environ.get(*{"c": ("CC", "gcc"), "c++": ("CXX", "g++")}[language]))


def command(language: str, search: list[Path], *flags: str) -> list[str]:
    standard = {"c": "c99", "c++": "c++17"}[language]
    paths = [f"-I{p}" for p in search]
    return [*compiler(language), f"-std={standard}", *paths, *flags, "-x", language, "-"]


def _checked(command: list[str], text: str) -> str:
    result = run(command, text)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stderr}")
    return result.stdout


def read_functions(text: str, search: list[Path], declarations: Declarations) -> None:
    """Fill in the functions, from the prototypes that GCC writes with -aux-info."""
    prototype = re.compile(r"/\* (.+):\d+:\w+ \*/ extern (.*?)(\w+) \((.*)\);")
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "prototypes"
        _checked(command("c", search, "-fsyntax-only", "-aux-info", str(out)), text)
        for line in out.read_text().splitlines():
            if not (match := prototype.match(line)):
                continue
            path, result, name, arguments = match.groups()
            for base in search:
                if Path(path).is_relative_to(base):
                    arguments = "" if arguments == "void" else arguments.replace("_Bool", "bool")
                    declarations.functions[name] = f"{result.strip()}({arguments})"
                    declarations.headers[name] = str(Path(path).relative_to(base))


def read_names(headers: list[str], search: list[Path], declarations: Declarations) -> list[str]:
    """Fill in enums and fields, and return the names of constants, from the text of the headers."""
    constants = []
    for header in headers:
        path = next(base / header for base in search if (base / header).exists())
        text = re.sub(r"//.*|/\*.*?\*/", "", path.read_text())
        constants += re.findall(r"^#define (\w+) +\S", text, re.M)
        constants += re.findall(r"^static const \w+ (\w+) =", text, re.M)
        for body, name in re.findall(r"typedef enum \w+ \{(.*?)\} (\w+);", text, re.S):
            declarations.enums[name] = re.findall(r"(\w+) *=", body)
        for body, name in re.findall(r"typedef (?:struct|union) \w+ \{(.*?)\} (\w+);", text, re.S):
            declarations.fields[name] = re.findall(r"(\w+)(?:\[\w+\])*;", body)
    return constants


def read_numbers(text: str, constants: list[str], search: list[Path], d: Declarations) -> None:
    """Fill in values, sizes and layout by running a program that prints them."""
    lines = [f'    printf("V {c} %lld\\n", (long long)({c}));' for c in constants]
    for name, members in d.fields.items():
        lines.append(f'    printf("S {name} %zu\\n", sizeof({name}));')
        for m in members:
            place = f"offsetof({name}, {m}), sizeof((({name}*)0)->{m})"
            lines.append(f'    printf("L {name}.{m} %zu %zu\\n", {place});')
    program = f"#include <stdio.h>\n#include <stddef.h>\n{text}int main(void) {{\n"
    program += "\n".join(lines) + "\n    return 0;\n}\n"
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "numbers"
        _checked(command("c", search, "-o", str(out)), program)
        for line in _checked([str(out)], "").splitlines():
            kind, name, *numbers = line.split()
            if kind == "L":
                d.layout[name] = (int(numbers[0]), int(numbers[1]))
            else:
                (d.values if kind == "V" else d.sizes)[name] = int(numbers[0])


def declared(headers: list[str], search: list[Path]) -> Declarations:
    """Return all that `headers`, found below `search`, declare."""
    declarations = Declarations()
    text = includes(headers)
    read_functions(text, search, declarations)
    constants = read_names(headers, search, declarations)
    constants += [name for names in declarations.enums.values() for name in names]
    read_numbers(text, constants, search, declarations)
    return declarations


def assertions(d: Declarations) -> list[tuple[str, str]]:
    """Return what `d` says as (name, static assertion in C++)."""
    checks = [
        (name, f"std::is_same_v<decltype(::{name}), {signature}>")
        for name, signature in d.functions.items()
    ]
    checks += [
        (name, f"static_cast<long long>({name}) == {value}LL") for name, value in d.values.items()
    ]
    checks += [(name, f"sizeof({name}) == {size}") for name, size in d.sizes.items()]
    for place, (offset, size) in d.layout.items():
        name, member = place.split(".")
        text = f"offsetof({name}, {member}) == {offset} && sizeof({name}::{member}) == {size}"
        checks.append((place, text))
    return [(name, f'static_assert({text}, "{name}");') for name, text in checks]


def failures(headers: list[str], search: list[Path], d: Declarations) -> dict[str, str]:
    """Compile the assertions of `d` against headers; return what does not hold, by name."""
    checks = assertions(d)
    prefix = "#include <cstddef>\n#include <type_traits>\n" + includes(headers)
    text = prefix + '#line 1 "assertions"\n' + "".join(line + "\n" for _, line in checks)
    result = run(command("c++", search, "-fsyntax-only", "-fmax-errors=0"), text)
    found: dict[str, str] = {}
    for number, message in re.findall(r"^assertions:(\d+):\d+: error: (.*)", result.stderr, re.M):
        found.setdefault(checks[int(number) - 1][0], message)
    if result.returncode and not found:
        raise RuntimeError(result.stderr)
    return found


def newer_names(headers: list[str], search: list[Path]) -> set[str]:
    """Return the functions that our headers mark as newer than CANN 8.1."""
    names: set[str] = set()
    for header in headers:
        path = next(base / header for base in search if (base / header).exists())
        text = path.read_text()
        names.update(re.findall(r"(\w+)\([^;{}]*\);  // \d+\.\d+$", text, re.M))
        for block in re.findall(r"// Since CANN [\d.]+\.\n(.*?)(?:\n\n|\Z)", text, re.S):
            names.update(re.findall(r"(\w+)\(", block))
    return names


def main() -> int:
    home = os.environ.get("ASCEND_HOME_PATH") or (sys.argv[1] if len(sys.argv) > 1 else "")
    toolkit = Path(home) / "include"
    if not home or not (toolkit / "acl" / "acl.h").exists():
        print("no toolkit: name it as ASCEND_HOME_PATH=/usr/local/Ascend/ascend-toolkit/latest")
        return 2
    sys.path.insert(0, str(ROOT / "scripts"))
    import headers as operators

    operators.write(GENERATED)
    ours = [*runtime_headers(), *operator_headers()]
    there = [h for h in ours if (toolkit / h).exists()]
    print(f"{len(there)} of our {len(ours)} headers are in {toolkit}")
    expected = declared(ours, [INCLUDE, GENERATED])
    newer = newer_names(ours, [INCLUDE, GENERATED])
    wrong = failures(there, [toolkit], expected)
    absent = {
        n for n, text in wrong.items() if "not been declared" in text or "not declared" in text
    }
    for name in sorted(set(wrong) - absent):
        print(f"{name}: {wrong[name]}")
    print(f"{len(absent & newer)} functions newer than CANN 8.1 are not there")
    for name in sorted(absent - newer):
        print(f"{name}: not in this toolkit")
    return 1 if set(wrong) - (absent & newer) else 0


if __name__ == "__main__":
    sys.exit(main())

"""The facts about CANN's ABI as declarations that the headers must have.

They are no part of the repository: JSON files read from public headers and documentation, in
`../shared/abi` beside the checkout or where PYASC_ABI_FACTS points.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from abi_check import ROOT, Declarations

DIRECTORY = Path(os.environ.get("PYASC_ABI_FACTS") or ROOT.parent / "shared" / "abi")
AVAILABLE = (DIRECTORY / "aclnn.json").exists()
WHY_NOT = (
    f"the facts about CANN's ABI are not in {DIRECTORY}: set PYASC_ABI_FACTS to a directory with "
    "aclnn.json, acl_runtime.json, acl_enums.json, acl_structs.json and aclnn_convention.md"
)
PHASE_2 = ["void*", "uint64_t", "aclOpExecutor*", "aclrtStream"]


def load(name: str) -> dict:
    return json.loads((DIRECTORY / name).read_text())


def release(text: str) -> tuple[int, int]:
    """Return (8, 5) for '8.5.0'; what is older than the facts reach is (0, 0)."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def same_header(ours: str, theirs: str) -> bool:
    """Whether a function is declared in the file where CANN has it ('acl/' is left out there)."""
    return ours.removeprefix("acl/") == theirs.removeprefix("acl/")


def signature(fact: dict) -> str:
    arguments = [t for t, _ in fact["params"]] + (["..."] if fact.get("variadic") else [])
    return f"{fact['ret']}({', '.join(arguments)})"


def functions() -> tuple[dict[str, str], dict[str, str]]:
    """Return type and header of every function of the runtime and of both phases of operators."""
    runtime = load("acl_runtime.json")
    types = {name: signature(fact) for name, fact in runtime.items()}
    headers = {name: fact["header"] for name, fact in runtime.items()}
    for name, fact in load("aclnn.json").items():
        if not fact["execute"] or not fact["header"]:
            continue
        for function, arguments in (
            (f"{name}GetWorkspaceSize", fact["get_workspace"]),
            (name, fact["execute"]),
        ):
            spelled = [re.sub(r"^onst ", "const ", t) for t, _ in arguments]
            types[function] = f"aclnnStatus({', '.join(spelled)})"
            headers[function] = f"aclnnop/{fact['header']}"
    return types, headers


def number(text: str | int) -> int:
    """Return the value of a literal of C as a signed 64-bit number."""
    value = text if isinstance(text, int) else int(text.strip("() ").rstrip("uUlL"), 0)
    return value - 2**64 if value >= 2**63 else value


def status_codes() -> dict[int, str]:
    """Return code -> name (without its ACLNN_ERR_ prefix) of what operators answer with."""
    text = (DIRECTORY / "aclnn_convention.md").read_text()
    section = text[text.index("## Status codes") : text.index("Error text")]
    return {int(code): name for code, name in re.findall(r"(\d{6})\s+([A-Z_]+)", section)}


def constants() -> dict[str, int]:
    enums = load("acl_enums.json")
    found = {name: number(fact["value"]) for name, fact in enums["constants"].items()}
    found |= {name: number(fact["value"]) for name, fact in enums["error_codes"].items()}
    return found


def enum_types() -> dict[str, dict]:
    """Return the enums by the name a program uses for them."""
    enums = load("acl_enums.json")["enums"]
    names = {
        fact["type"].removeprefix("enum "): name
        for name, fact in load("acl_structs.json")["typedefs"].items()
        if fact["type"].startswith("enum ")
    }
    return {names.get(tag, tag): fact for tag, fact in enums.items()}


def enumerators(fact: dict, newest: tuple[int, int]) -> dict[str, int]:
    """Return the enumerators of an enum that still exist and are not newer than a release."""
    since = fact.get("value_since", {})
    return {
        name: value
        for name, value in fact["values"].items()
        if name not in fact.get("removed_values", {})
        and release(since.get(name, fact["since"])) <= newest
    }


def struct_types() -> dict[str, dict]:
    """Return structs and unions by the name a program uses for them."""
    facts = load("acl_structs.json")
    names = {
        re.sub("^(struct|union) ", "", fact["type"]): name
        for name, fact in facts["typedefs"].items()
        if re.match("(struct|union) ", fact["type"])
    }
    return {names.get(tag, tag): fact for tag, fact in facts["structs"].items()}


def expected(declared: Declarations) -> Declarations:
    """Return what the facts say about the names in `declared`; a name they lack is left out."""
    facts = Declarations()
    types, headers = functions()
    facts.functions = {n: types[n] for n in declared.functions if n in types}
    facts.headers = {n: headers[n] for n in declared.functions if n in headers}
    every = constants() | {
        name: value
        for enum, fact in enum_types().items()
        if enum in declared.enums
        for name, value in fact["values"].items()
    }
    facts.values = {n: every[n] for n in declared.values if n in every}
    for name, fact in struct_types().items():
        if name in declared.fields:
            facts.sizes[name] = fact["size"]
            facts.fields[name] = [f["name"] for f in fact["fields"]]
            facts.layout |= {
                f"{name}.{f['name']}": (f["offset"], f["size"]) for f in fact["fields"]
            }
    return facts

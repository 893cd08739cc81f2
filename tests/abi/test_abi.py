"""Everything declared in include/ is what CANN has: names, types, values, layouts, files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import abi_check
import facts
import headers
import operators
import pytest

needs_facts = pytest.mark.skipif(not facts.AVAILABLE, reason=facts.WHY_NOT)
pytestmark = pytest.mark.skipif(
    not all(shutil.which(abi_check.compiler(language)[0]) for language in ("c", "c++")),
    reason="no C and C++ compiler (CC, CXX)",
)
NEWEST = (9, 1)  # the release up to which the enums are kept


@pytest.fixture(scope="module")
def search(tmp_path_factory):
    generated = tmp_path_factory.mktemp("include")
    headers.write(generated)
    return [abi_check.INCLUDE, generated]


@pytest.fixture(scope="module")
def names(search):
    return [*abi_check.runtime_headers(search[0]), *abi_check.operator_headers(search[1])]


@pytest.fixture(scope="module")
def declared(names, search):
    return abi_check.declared(names, search)


@pytest.fixture(scope="module")
def expected(declared):
    return facts.expected(declared)


def test_the_reader_sees_the_headers(declared):
    assert len(declared.functions) > 2 * len(headers.read())
    assert {"aclrtMalloc", "aclCreateTensor", "aclnnAddGetWorkspaceSize"} <= set(declared.functions)
    assert declared.values["ACL_BF16"] == 27
    assert declared.values["ACL_ERROR_RT_PARAM_INVALID"] == 107000
    assert declared.layout["aclrtPhysicalMemProp.location"] == (12, 8)


@needs_facts
def test_every_function_exists_in_cann(declared, expected):
    assert sorted(set(declared.functions) - set(expected.functions)) == []


@needs_facts
def test_every_function_is_in_its_header(declared, expected):
    moved = {
        name: (declared.headers[name], header)
        for name, header in expected.headers.items()
        if not facts.same_header(declared.headers[name], header)
    }
    assert moved == {}


@needs_facts
def test_every_constant_exists_in_cann(declared, expected):
    ours = {name for name in declared.values if not name.startswith("ACLNN_")}
    assert sorted(ours - set(expected.values)) == []


@needs_facts
def test_every_struct_exists_in_cann(declared, expected):
    assert sorted(set(declared.fields) - set(expected.fields)) == []
    assert declared.fields == expected.fields


@needs_facts
def test_types_values_and_layouts_are_those_of_cann(names, search, expected):
    assert len(abi_check.assertions(expected)) > 2000
    assert abi_check.failures(names, search, expected) == {}


@needs_facts
def test_every_enum_is_whole(declared):
    known = facts.enum_types()
    assert sorted(set(declared.enums) - set(known)) == []
    for name, members in declared.enums.items():
        assert set(members) == set(facts.enumerators(known[name], NEWEST)), name


@needs_facts
def test_status_codes_of_operators(declared):
    codes = facts.status_codes()
    assert len(codes) > 20
    ours = {n: v for n, v in declared.values.items() if n.startswith("ACLNN_ERR_")}
    for code, name in codes.items():
        assert any(v == code and name in n for n, v in ours.items()), (code, name)
    assert set(ours.values()) == set(codes)


@needs_facts
def test_releases_are_those_of_cann(names, search, declared):
    newer = abi_check.newer_names(names, search)
    runtime = facts.load("acl_runtime.json")
    for name in declared.functions:
        if name in runtime:
            assert (facts.release(runtime[name]["since"]) > (8, 1)) == (name in newer), name
    for name, fact in facts.load("aclnn.json").items():
        if name in declared.functions:
            assert fact["in_cann_8_1_rc1"] == (name not in newer), name


@needs_facts
def test_table_is_what_the_facts_say():
    table = operators.TABLE.read_text()
    assert operators.render(facts.DIRECTORY, operators.names_in(table)) == table


@needs_facts
def test_no_documented_dtype_is_lost():
    known = facts.load("aclnn.json")
    for operator in headers.read():
        documented = [a for a, names in (known[operator.name].get("dtypes") or {}).items() if names]
        assert len(operator.dtypes) == len(documented), operator.name


@needs_facts
def test_an_operator_that_cann_lacks_cannot_be_added():
    with pytest.raises(KeyError, match="aclnnFlyToTheMoon is not an operator of CANN"):
        operators.render(facts.DIRECTORY, ["aclnnFlyToTheMoon"])
    with pytest.raises(KeyError, match="aclnnBiasAdd: the facts lack its header"):
        operators.render(facts.DIRECTORY, ["aclnnBiasAdd"])


@pytest.mark.parametrize("header", abi_check.runtime_headers())
@pytest.mark.parametrize("language", ["c", "c++"])
def test_each_header_compiles_alone(language, header):
    flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    text = abi_check.includes([header, header])
    result = abi_check.run(abi_check.command(language, [abi_check.INCLUDE], *flags), text)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("language", ["c", "c++"])
def test_all_headers_compile_together(language, names, search):
    flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    text = abi_check.includes([*names, "pyasc_operators_all.h"])
    result = abi_check.run(abi_check.command(language, search, *flags), text)
    assert result.returncode == 0, result.stderr


def test_operator_list_has_the_types_of_the_headers(search):
    text = """
#include <type_traits>
#include "pyasc_operators_all.h"
template <class... Args> using Phase1 = aclnnStatus(Args..., uint64_t*, aclOpExecutor**);
using Phase2 = aclnnStatus(void*, uint64_t, aclOpExecutor*, aclrtStream);
template <class... Args> constexpr bool counted(int n) { return sizeof...(Args) == n; }
#define OP(name, letters, ...)                                                                 \\
    static_assert(std::is_same_v<decltype(::name##GetWorkspaceSize), Phase1<__VA_ARGS__>>);    \\
    static_assert(std::is_same_v<decltype(::name), Phase2>);                                   \\
    static_assert(counted<__VA_ARGS__>(sizeof(letters) - 1));
#include "pyasc_operators.inc"
"""
    result = abi_check.run(abi_check.command("c++", search, "-fsyntax-only"), text)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("type_", "letter"),
    [
        ("const aclTensor*", "T"),
        ("aclTensor*", "o"),
        ("const aclTensorList*", "L"),
        ("aclTensorList*", "O"),
        ("const aclScalar*", "S"),
        ("aclScalar*", "S"),
        ("const aclScalarList*", "l"),
        ("const aclIntArray*", "I"),
        ("aclIntArray*", "I"),
        ("const aclFloatArray*", "F"),
        ("const aclBoolArray*", "B"),
        ("const char*", "s"),
        ("char*", "s"),
        ("const bool", "b"),
        ("const int64_t", "i"),
        ("int8_t", "i"),
        ("int", "i"),
        ("const aclDataType", "d"),
        ("float", "f"),
        ("const double", "f"),
        ("void*", "p"),
    ],
)
def test_letters(type_, letter):
    assert headers.Argument(type_, "x").letter == letter


def test_table_lines_parse():
    add = next(o for o in headers.read() if o.name == "aclnnAdd")
    assert add.header == "aclnn_add.h"
    assert add.since == "8.1"
    assert [a.name for a in add.arguments] == ["self", "other", "alpha", "out"]
    assert {"f4", "c16"} <= set(add.dtypes["out"])
    assert {"deterministic", "broadcast", "strided"} <= add.flags
    for operator in headers.read():
        assert operator.arguments, operator.name
        assert set(operator.dtypes) <= {a.name for a in operator.arguments}, operator.name


def test_headers_are_written_only_when_they_change(tmp_path):
    first = headers.write(tmp_path)
    assert first > 100
    assert headers.write(tmp_path) == 0
    stale = tmp_path / "aclnnop" / "aclnn_gone.h"
    stale.write_text("")
    (tmp_path / "aclnnop" / "aclnn_add.h").write_text("")
    assert headers.write(tmp_path) == 1
    assert not stale.exists()


def test_operators_beside_canns_are_apart_and_in_cann_style(tmp_path):
    headers.write(tmp_path)
    extensions = headers.read(headers.EXTENSIONS)
    assert extensions
    assert not {o.header for o in extensions} & {p.name for p in tmp_path.glob("aclnnop/*")}
    for operator in extensions:
        assert operator.name.startswith("pyasc")
        assert operator.since == "-"
        text = (tmp_path / "pyasc_ext" / operator.header).read_text()
        assert f"{operator.name}GetWorkspaceSize(" in text
        assert "Since" not in text


@pytest.mark.parametrize(
    ("file", "old", "new", "name"),
    [
        (
            "acl/acl_rt.h",
            "aclrtMallocHost(void** hostPtr, size_t",
            "aclrtMallocHost(void** hostPtr, int",
            "aclrtMallocHost",
        ),
        ("acl/acl_base_rt.h", "ACL_BF16 = 27", "ACL_BF16 = 26", "ACL_BF16"),
        ("acl/acl_rt.h", "uint32_t pageSize;", "uint64_t pageSize;", "aclrtPtrAttributes.pageSize"),
        ("acl/error_codes/rt_error_codes.h", "= 107002;", "= 107092;", "ACL_ERROR_RT_CONTEXT_NULL"),
    ],
)
def test_a_wrong_header_is_found(tmp_path, search, names, declared, file, old, new, name):
    copy = tmp_path / "include"
    shutil.copytree(search[0], copy)
    text = (copy / file).read_text()
    assert old in text
    (copy / file).write_text(text.replace(old, new, 1))
    assert name in abi_check.failures(names, [copy, search[1]], declared)


def test_a_toolkit_is_checked_against_our_headers(tmp_path, search):
    toolkit = tmp_path / "include"
    shutil.copytree(search[0], toolkit)
    shutil.copytree(search[1] / "aclnnop", toolkit / "aclnnop", dirs_exist_ok=True)

    def check():
        command = [sys.executable, str(abi_check.ROOT / "scripts" / "abi_check.py"), str(tmp_path)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert check().returncode == 0
    header = toolkit / "aclnnop" / "aclnn_add.h"
    header.write_text(re.sub("const aclScalar[*] alpha", "double alpha", header.read_text()))
    result = check()
    assert result.returncode == 1
    assert "aclnnAddGetWorkspaceSize" in result.stdout

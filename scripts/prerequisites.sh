#!/bin/sh
# Say what is missing before the build fails for want of it, and which package has it.
# usage: prerequisites.sh PYTHON CXX
python=${1:-python3}
cxx=${2:-g++}
missing=0

need() { # what, Debian's package, openEuler's package
    missing=1
    printf 'missing: %s\n    Debian, Ubuntu:    apt-get install %s\n    openEuler, Fedora: dnf install %s\n' "$1" "$2" "$3" >&2
}

# shellcheck disable=SC2086  # CXX may hold arguments, such as "ccache g++"
command -v ${cxx%% *} >/dev/null 2>&1 || need "the C++ compiler ($cxx)" g++ gcc-c++
command -v nm >/dev/null 2>&1 || need "binutils (nm)" binutils binutils
if ! command -v "$python" >/dev/null 2>&1; then
    need "Python ($python)" "python3 python3-dev python3-venv" "python3 python3-devel python3-pip"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    missing=1
    echo "missing: Python 3.10 or newer; $("$python" --version) is $python. Name another with PYTHON=..., such as make PYTHON=python3.11 demo" >&2
else
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 ||
        need "the venv module of $python" "python3-venv (or python$version-venv)" "python3 python3-pip"
    "$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))' ||
        need "the headers of $python (Python.h)" "python3-dev (or python$version-dev)" python3-devel
fi
[ $missing -eq 0 ] || { echo "scripts/install_deps.sh installs all of these (as root, or with sudo)." >&2; exit 1; }

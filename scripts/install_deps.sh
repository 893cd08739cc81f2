#!/bin/sh
# Install what the build needs from the system: git, make, a C++ compiler, Python with its headers and venv module.
# Run as root, or as a user who may use sudo. Running it again changes nothing.
set -eu

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    echo "install_deps.sh: run this as root: installing packages needs it, and there is no sudo here" >&2
    exit 1
fi

if command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -q
    $as_root apt-get install -y -q --no-install-recommends git make g++ python3 python3-dev python3-venv ca-certificates
elif command -v dnf >/dev/null 2>&1; then
    $as_root dnf install -y git make gcc-c++ python3 python3-devel python3-pip
elif command -v yum >/dev/null 2>&1; then
    $as_root yum install -y git make gcc-c++ python3 python3-devel python3-pip
else
    echo "install_deps.sh: neither apt-get, dnf nor yum is here; install git, make, a C++17 compiler and" >&2
    echo "Python 3.10 or newer with its headers and venv module by other means" >&2
    exit 1
fi

sh "$(dirname "$0")/prerequisites.sh" "${PYTHON:-python3}" "${CXX:-g++}"
echo "all there: make demo"

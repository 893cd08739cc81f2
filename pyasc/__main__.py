"""`python -m pyasc`: the version, where the CANN-like prefix lies, and what is installed."""

import argparse
import sys

import pyasc
from pyasc._backend import PREFIX


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pyasc", description="Ask an installed pyasc about itself."
    )
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--version", action="store_true", help="print the version")
    choice.add_argument(
        "--cann-home",
        action="store_true",
        help="print the folder that programs written for CANN compile and link against (its include/ and lib64/)",
    )
    choice.add_argument(
        "--doctor", action="store_true", help="print what is installed, chosen and set"
    )
    options = parser.parse_args(arguments)
    if options.version:
        print(pyasc.__version__)
    elif options.cann_home:
        if not (PREFIX / "lib64" / "libpyasc_cann.so").exists():
            print(
                f"{PREFIX} does not exist: build it with 'pip install .' or 'make'", file=sys.stderr
            )
            return 1
        print(PREFIX)
    else:
        return 0 if pyasc.doctor() else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

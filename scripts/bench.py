"""Run the benchmarks once for the current commit, in this environment, and print pyasc beside NumPy.

`python scripts/bench.py bench_ufunc` runs those whose name matches.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

from asv.machine import Machine, MachineCollection
from asv.results import Results, iter_results_for_machine_and_hash

ROOT = Path(__file__).resolve().parent.parent
CONFIG = ROOT / "asv_benchmarks" / "asv.conf.json"
RESULTS = ROOT / "asv_benchmarks" / "results"


def run(*arguments: str) -> int:
    """Run asv in the folder of its configuration."""
    environment = dict(os.environ)
    # Set to a processor that is not this one it halves the speed of NumPy's BLAS: not a fair peer.
    environment.pop("OPENBLAS_CORETYPE", None)
    command = [sys.executable, "-m", "asv", *arguments]
    return subprocess.run(command, cwd=CONFIG.parent, env=environment, check=False).returncode


def commit() -> str:
    """Return the current commit."""
    command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(
            f"asv keeps results by commit, and git names none here: {done.stderr.strip()}"
        )
    return done.stdout.strip()


def rows(result: Results) -> list[tuple[str, float, float, str]]:
    """Return (benchmark, NumPy's figure, ours, unit) of every benchmark that has both."""
    found = []
    for name in sorted(result.get_all_result_keys()):
        params = result.get_result_params(name)
        values = dict(
            zip(itertools.product(*params), result.get_result_value(name, params), strict=True)
        )
        for key, value in values.items():
            ours = values.get((repr("pyasc"), *key[1:]))
            if key[0] == repr("numpy") and value is not None and ours is not None:
                label = " ".join([name, *(k.strip("'") for k in key[1:])])
                found.append((label, value, ours, "ms" if "import" in name else "ns"))
    return found


def main() -> int:
    """Command line."""
    if not os.path.exists(MachineCollection.get_machine_file_path()) and run("machine", "--yes"):
        return 1
    chosen = [part for name in sys.argv[1:] for part in ("--bench", name)]
    head = commit()
    status = run(
        "run", "--quick", "--show-stderr",
        "--environment", f"existing:{sys.executable}", "--set-commit-hash", head, *chosen,
    )  # fmt: skip
    machine = Machine.load().machine
    for result in iter_results_for_machine_and_hash(str(RESULTS), machine, head):
        print(f"\n{'commit ' + head[:12]:64}{'NumPy':>14}{'pyasc':>14}     {'pyasc/NumPy':>12}")
        for label, numpy, ours, unit in rows(result):
            print(f"{label:64}{numpy:14,.0f}{ours:14,.0f} {unit:4}{ours / numpy:12.2f}")
    return status


if __name__ == "__main__":
    raise SystemExit(main())

#!/usr/bin/env python3
"""Runs stereoview in parts on the workers of a Dask cluster.

    dask_parts.py SCHEDULER PARTS ARGUMENT...        such as: dask_parts.py tcp://head:8786 64 --list pairs.tsv -m sgm

The workers must see the files under the same names: they share a file system and were started in one folder. A part
whose worker is lost is run by another one, and a part that fails is run again, up to twice. Needs dask.distributed.
"""
import subprocess
import sys

try:
    from dask.distributed import Client
except ImportError as error:
    sys.exit(f"{sys.argv[0]}: {sys.executable} has no dask.distributed ({error}); install Debian's python3-distributed, or "
             "start this program with an interpreter that has it")


def run_part(part, parts, arguments):
    # The program ends when the worker that started it does.
    command = ["setpriv", "--pdeathsig", "KILL", "stereoview", "--headless", *arguments, "--shard", f"{part}/{parts}",
               "--resume", "--threads", "1"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"stereoview ended with status {done.returncode}")


def main(scheduler, parts, *arguments):
    with Client(scheduler) as client:
        runs = [client.submit(run_part, part, int(parts), arguments, retries=2, pure=False)
                for part in range(1, int(parts) + 1)]
        failures = [(part, run.exception()) for part, run in enumerate(runs, 1)]
    failures = [f"part {part} of {parts}: {error}" for part, error in failures if error]
    return "\n".join(failures)


if __name__ == "__main__":
    if len(sys.argv) < 4 or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]) or 0)

#!/usr/bin/python3
"""Measures pairs of videos from file to map, decoded on the card and on the CPU.

    tests/bench/files.py PROGRAM FOLDER [--work FOLDER] [--frames N] [-- OPTION...]

FOLDER has pairs NAME_left.EXT and NAME_right.EXT. For each, PROGRAM matches the first N frames (10,000; far fewer
measure how long it takes to begin) with the OPTIONs (-m ssd -d 0:127) and leaves the maps in memory, and then a
tenth of them with a .pfm for each in a folder in --work, which is removed again. Printed as tab-separated values:
pairs a second, without preparation; while the run lasted the mean use of the decoding engines and of the
multiprocessors in percent, as nvidia-smi samples them; and the most device memory in use by anybody, in MiB. If
ffmpeg is there, rows of `ffmpeg` say how fast it decodes both sides at once and drops the pictures. The outcome of
runs that failed is 'failed'; why is on standard error.
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

QUERY = ["nvidia-smi", "--query-gpu=utilization.decoder,utilization.gpu,memory.used", "--format=csv,noheader,nounits",
         "-i", "0", "-lms", "100"]


def watch(run):
    """What run() returns, and the use of the card meanwhile: decoders, multiprocessors, memory."""
    if not shutil.which(QUERY[0]):
        return run(), ("", "", "")
    with subprocess.Popen(QUERY, stdout=subprocess.PIPE, text=True) as sampler:
        result = run()
        sampler.terminate()
        lines = sampler.stdout.read().splitlines()
    rows = [[float(v) for v in line.split(",")] for line in lines if re.fullmatch(r"[\d, ]+", line)]
    busy = rows[len(rows) // 4:] or rows or [[0, 0, 0]]  # without the start
    return result, (f"{statistics.mean(r[0] for r in busy):.0f}", f"{statistics.mean(r[1] for r in busy):.0f}",
                    f"{max(r[2] for r in busy):.0f}")


def match(command):
    """Frames and frames a second of a run, by its last line."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = re.search(r"done: (\d+) frames?.*?\(([\d.]+) a second\)", done.stderr)
    if done.returncode or not found:
        print(" ".join(command) + "\n" + done.stderr[-400:], file=sys.stderr)
        return "", "failed"
    return found.groups()


def decode(sides, how, frames):
    """The same of FFmpeg, which decodes both sides at once."""
    began = time.monotonic()
    running = [subprocess.Popen(["ffmpeg", "-v", "error", "-nostdin", *how, "-i", side, "-frames:v", str(frames), "-f",
                                 "null", "-"], stdout=subprocess.DEVNULL) for side in sides]
    return ("", "failed") if any([p.wait() for p in running]) else \
        (str(frames), f"{frames / (time.monotonic() - began):.0f}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--work", default=tempfile.gettempdir())
    parser.add_argument("--frames", type=int, default=10000)
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    o = parser.parse_args(sys.argv[1:end])
    options = sys.argv[end + 1:] or ["-m", "ssd", "-d", "0:127"]
    show = lambda *row: print(*row, sep="\t", flush=True)  # noqa: E731
    show("video", "decoder", "output", "pairs", "pairs_s", "decoders_use", "sm_use", "memory_mib")
    for left in sorted(glob.glob(os.path.join(glob.escape(o.folder), "*_left.*"))):
        sides = left, left.replace("_left.", "_right.")
        name = os.path.basename(left).split("_left.")[0]
        for decoder in "cuda", "cpu":
            common = [o.program, "--headless", "-f", *sides, "--decoder", decoder, "--rows", "off", *options]
            for output in "memory", "pfm":
                end = o.frames if output == "memory" else o.frames // 10
                with tempfile.TemporaryDirectory(dir=o.work) as maps:
                    more = ["--benchmark"] if output == "memory" else ["-o", os.path.join(maps, "%06d.pfm")]
                    result, use = watch(lambda: match([*common, "--frames", f"0:{end}", *more]))
                show(name, decoder, output, *result, *use)
            if shutil.which("ffmpeg"):
                how = ["-hwaccel", "cuda", "-hwaccel_output_format", "cuda"] if decoder == "cuda" else []
                result, use = watch(lambda: decode(sides, how, o.frames))
                show(name, decoder, "ffmpeg", *result, *use)


if __name__ == "__main__":
    main()

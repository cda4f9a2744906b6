#!/usr/bin/python3
"""Lets the program, built with sanitizers, open damaged models and sidecars without a window ('make check-long').

    tests/long/fuzz_models.py PROGRAM [--seed N] [--count N] [--keep FOLDER]

Needs 'make models'. PROGRAM matches a small pair with damaged copies, COUNT (default: 300) in all, of the models of the
tests and of their sidecars: bytes are changed, removed, doubled or moved, numbers of Protocol Buffers are replaced by
large ones, and lines of sidecars by others. The runtime itself has no sanitizer. A finding is a report of a sanitizer, a
signal, an exit status other than 0 and 1, an error without a message, or more than 60 seconds of processor time.
Copies with a finding are kept in FOLDER (default: fuzz-models beside PROGRAM), with the output.

Prints the lines that tests/run describes, and their sum last. The exit status is 1 if anything was found.
"""
import argparse, concurrent.futures, glob, os, random, re, resource, shutil, subprocess, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MODELS = os.path.join(ROOT, "build-models")
SECONDS, MEMORY = 60, 4 << 30
LINES = {
    "inputs": ["left, right", "right, left", "right"], "layout": ["nhwc", "nchw"], "channels": ["grey", "bgr"],
    "values": ["0:1", "-1:1", "imagenet"], "mean": ["0", "0.5, 0.5, 0.5", "255"], "deviation": ["1e-6", "255"],
    "size": ["any", "64x64", "4096x4096", "1x1"], "multiple": ["1", "7", "256"], "fit": ["pad", "resize"],
    "padding": ["centre", "top-right"], "pad-with": ["zero", "edge"], "output": ["disparity", "disp"],
    "output-channel": ["0", "1", "63"], "sign": ["negative", "positive"], "scale": ["width", "16384", "1e-30"],
    "confidence": ["none", "disparity"], "visible": ["none", "disparity"], "hidden": ["none", "disparity"],
}
WRONG = ["", "%n%s", "é" * 100, "-3", "1e999", "x" * 600]


def damaged(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        # Most changes keep the length, because the reader stops at a wrong one.
        at, kind = chance.randrange(len(data)), chance.choice([0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5])
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at] = chance.choice([0, 1, 0x7f, 0x80, 0xff])
        elif kind == 2:
            del data[at:at + chance.choice([1, 4, 50])]
        elif kind == 3:
            data[at:at] = data[at:at + chance.choice([1, 4, 50])]
        elif kind == 4:
            data[at:at + 1] = b"\xff\xff\xff\xff\x07"
        else:
            del data[at:at + 1 if chance.random() < 0.7 else len(data)]
        if not data:
            return b"\x08"
    return bytes(data)


def sidecar(chance):
    keys = chance.sample(list(LINES), chance.choice([1, 1, 2, 4]))
    text = "".join(f"{k}: {chance.choice(LINES[k] + WRONG[:chance.choice([0, 0, 6])])}\n" for k in keys).encode()
    return damaged(text, chance) if chance.random() < 0.2 else text


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))


def check(program, folder, model, number, seed):
    """Returns what was found, or None."""
    chance = random.Random(f"{seed} {model} {number}")
    path = f"{folder}/{number}.onnx"
    with open(f"{MODELS}/{model}.onnx", "rb") as file:
        data = file.read()
    of_sidecar = number % 3 == 2
    with open(path, "wb") as file:
        file.write(data if of_sidecar else damaged(data, chance))
    if of_sidecar:
        with open(path[:-5] + ".yaml", "wb") as file:
            file.write(sidecar(chance))
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99:allocator_may_return_null=1:detect_leaks=0",
                       UBSAN_OPTIONS="print_stacktrace=1:exitcode=99", OMP_NUM_THREADS="1")
    environment.setdefault("ONNXRUNTIME", f"{MODELS}/libonnxruntime.so")
    command = [program, "-q", "--headless", "-f", f"{folder}/left.pgm", f"{folder}/right.pgm", "--threads", "1", "-d",
               "0:11", "--model", path, "-o", f"{folder}/{number}.pfm"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, preexec_fn=limits)
    output = run.communicate()[0].decode(errors="replace")
    found = None
    if re.search("ERROR: AddressSanitizer|runtime error:|ERROR: LeakSanitizer", output):
        found = "a sanitizer's report"
    elif run.returncode < 0:
        found = f"signal {-run.returncode}"
    elif run.returncode not in (0, 1):
        found = f"exit status {run.returncode}"
    elif run.returncode == 1 and "error: " not in output:
        found = "an error without a message"
    return found and (found, path, output), run.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--keep")
    a = parser.parse_args()
    if not os.path.exists(f"{MODELS}/made"):
        print("skipped - damaged models: there are no models; 'make models' makes them, with Python's pip")
        return 0
    keep = a.keep or os.path.join(os.path.dirname(a.program), "fuzz-models")
    models = sorted(os.path.basename(p)[:-5] for p in glob.glob(f"{MODELS}/*.onnx"))
    models.remove("slow")
    findings, statuses = [], {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        chance = random.Random(a.seed)
        for name in "left", "right":
            with open(f"{folder}/{name}.pgm", "wb") as file:
                file.write(b"P5 48 32 255\n" + bytes(chance.randrange(256) for _ in range(48 * 32)))
        jobs = [pool.submit(check, os.path.abspath(a.program), folder, models[n % len(models)], n, a.seed)
                for n in range(a.count)]
        for job in jobs:
            found, status = job.result()
            statuses[status] = statuses.get(status, 0) + 1
            if found:
                findings.append(found)
                os.makedirs(keep, exist_ok=True)
                for part in glob.glob(found[1][:-5] + ".*"):
                    shutil.copy(part, keep)
                with open(f"{keep}/{os.path.basename(found[1])}.txt", "w") as file:
                    file.write(found[2])
    for what, path, output in findings:
        print(f"not ok - {os.path.basename(path)}: {what}: {output[:300]!r}")
    print(f"# exit statuses: {dict(sorted(statuses.items(), key=str))}")
    if not findings:
        print(f"ok - {a.count} damaged models and sidecars")
    print(f"{int(not findings)} passed, {len(findings)} failed, 0 skipped")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())

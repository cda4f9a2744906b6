#!/usr/bin/python3
"""Lets the program, built with sanitizers, read damaged media files without a window ('make check-long').

    tests/long/fuzz_media.py PROGRAM [--seed N] [--count N] [--only CLIP] [--keep FOLDER]

It makes a small clip of each container and codec below with ffmpeg and lets PROGRAM read it, which must succeed. Then
PROGRAM reads damaged copies of the clips, COUNT (default: 400) in all. A finding is a report of a sanitizer, a signal,
an exit status that is not documented, more than 60 seconds of processor time, or more than 2 GiB of memory. The damage
depends only on the seed, the name of the clip and the number of the copy, so a seed finds the same again with the same
version of ffmpeg. Damaged files with a finding are kept in FOLDER (default: fuzz-media beside PROGRAM), together with
the output of the program.

Prints the lines that tests/run describes, and their sum last. The exit status is 1 if anything was found.
"""
import argparse
import concurrent.futures
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

# Name of the file, and how ffmpeg encodes it. Groups of pictures are short, so that seeking has something to do.
CLIPS = {
    "h264.mp4": "-c:v libx264 -g 5 -bf 2",
    "h264.mkv": "-c:v libx264 -g 5 -bf 2",
    "h264.ts": "-c:v libx264 -g 5 -bf 2 -f mpegts",
    "h264.flv": "-c:v libx264 -g 5 -bf 0",
    "h264.264": "-c:v libx264 -g 5 -f h264",
    "h264_10.mov": "-c:v libx264 -g 5 -pix_fmt yuv420p10le",
    "hevc.mp4": "-c:v libx265 -g 5 -x265-params log-level=error",
    "mpeg4.avi": "-c:v mpeg4 -g 5 -bf 2",
    "mpeg4.mp4": "-c:v mpeg4 -g 5",
    "mpeg2.ts": "-c:v mpeg2video -g 5 -bf 2 -f mpegts",
    "mpeg2.mpg": "-c:v mpeg2video -g 5 -f vob",
    "mpeg1.mpg": "-c:v mpeg1video -g 5 -f mpeg",
    "mjpeg.avi": "-c:v mjpeg -pix_fmt yuvj420p",
    "mjpeg.mov": "-c:v mjpeg -pix_fmt yuvj422p",
    "vp8.webm": "-c:v libvpx -g 5",
    "vp9.webm": "-c:v libvpx-vp9 -g 5",
    "av1.mkv": "-c:v libaom-av1 -g 5 -cpu-used 8",
    "ffv1.mkv": "-c:v ffv1",
    "ffv1_16.nut": "-c:v ffv1 -pix_fmt gray16le",
    "huffyuv.avi": "-c:v huffyuv -pix_fmt yuv422p",
    "prores.mov": "-c:v prores_ks",
    "theora.ogv": "-c:v libtheora -g 5",
    "wmv2.asf": "-c:v wmv2 -g 5",
    "raw.nut": "-c:v rawvideo",
    "raw.y4m": "-pix_fmt yuv420p -f yuv4mpegpipe",
    "anim.gif": "",
    "anim.apng": "-f apng",
    "one.png": "-frames:v 1",
    "one_16.png": "-frames:v 1 -pix_fmt gray16be",
    "one.jpg": "-frames:v 1 -pix_fmt yuvj420p",
    "one.pgm": "-frames:v 1 -pix_fmt gray",
    "one.ppm": "-frames:v 1 -pix_fmt rgb24",
}
SECONDS = 60
MEMORY_MB = 2048
STATUSES = (0, 1, 2, 3, 4)  # those that docs/scripts.md documents
READ = (0, 4)  # of these, those of a file that was read to its end


def make_clip(name, folder):
    """Ten pictures of 96x64 with motion; what ffmpeg said if it cannot make them, else None."""
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=0.4",
                          "-pix_fmt", "yuv420p", *CLIPS[name].split(), "-threads", "1", os.path.join(folder, name)],
                         capture_output=True, text=True)
    return (run.stderr.strip().splitlines() or ["ffmpeg failed"])[-1] if run.returncode else None


def damage(data, rng):
    """One to four things that happen to files, headers hit as often as all the rest; or, to half of the copies, a few
    flipped bits behind the headers, so that much of what is damaged is decoded."""
    data = bytearray(data)
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data) // 4, len(data))] ^= 1 << rng.randrange(8)
        return bytes(data)
    for _ in range(rng.randint(1, 4)):
        if len(data) < 8:
            break
        place = rng.randrange(min(len(data), 512) if rng.random() < 0.5 else len(data))
        size = min(rng.choice((1, 4, 16, 64, 512)), len(data) - place)
        kind = rng.choice(("flip", "random", "zero", "extreme", "cut", "remove", "repeat", "move"))
        if kind == "flip":
            for _ in range(rng.randint(1, 20)):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif kind == "random":
            data[place:place + size] = rng.randbytes(size)
        elif kind == "zero":
            data[place:place + size] = bytes(size)
        elif kind == "extreme":
            data[place:place + 4] = bytes.fromhex(rng.choice(("ffffffff", "7fffffff", "80000000", "00000000", "00000001")))
        elif kind == "cut":
            del data[rng.randrange(8, len(data) + 1):]
        elif kind == "remove":
            del data[place:place + size]
        elif kind == "repeat":
            data[place:place] = data[place:place + size]
        else:
            block = data[place:place + size]
            del data[place:place + size]
            to = rng.randrange(len(data) + 1)
            data[to:to] = block
    return bytes(data)


def finding(command, environment):
    """What is wrong with the run, or None; its exit status; and all that it printed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=environment, preexec_fn=limit, timeout=20 * SECONDS)
    except subprocess.TimeoutExpired as late:
        return f"still running after {20 * SECONDS} s", None, late.stdout or b""
    report = re.search(rb"ERROR: \w+Sanitizer: [^\n]*|runtime error: [^\n]*|rss limit exceeded[^\n]*", run.stdout)
    if report:
        return report[0].decode(errors="replace"), run.returncode, run.stdout
    if run.returncode < 0:
        return f"signal {-run.returncode}", run.returncode, run.stdout
    wrong = None if run.returncode in STATUSES else f"exit status {run.returncode}"
    return wrong, run.returncode, run.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--only", choices=CLIPS, help="damages this clip alone, COUNT times")
    parser.add_argument("--keep", help="the folder for what was found")
    options = parser.parse_args()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    program = os.path.abspath(options.program)
    keep = os.path.abspath(options.keep or os.path.join(os.path.dirname(program), "fuzz-media"))
    environment = dict(
        os.environ, OMP_NUM_THREADS="1",
        ASAN_OPTIONS=f"allocator_may_return_null=1:hard_rss_limit_mb={MEMORY_MB}:exitcode=99",
        UBSAN_OPTIONS="print_stacktrace=1",
        LSAN_OPTIONS=f"suppressions={os.path.join(root, 'tests', 'lsan.supp')}:print_suppressions=0")
    passed = failed = skipped = 0

    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        clips = []
        for name in [options.only] if options.only else CLIPS:
            trouble = make_clip(name, folder)
            if trouble:
                print(f"skipped - {name}: ffmpeg cannot make it: {trouble}")
                skipped += 1
            else:
                clips.append(name)

        def one(name, number):
            """What is wrong with the run, or None, and whether it read the file; number 0 is the sound one."""
            rng = random.Random(f"{options.seed} {name} {number}")
            sound = os.path.join(folder, name)
            path = os.path.join(folder, f"{number}_{name}")
            with open(sound, "rb") as f:
                data = f.read()
            with open(path, "wb") as f:
                f.write(damage(data, rng) if number else data)
            files = rng.choice((["-f", path, path], ["-f", sound, path], ["-f", path, sound], ["-s", path]))
            frames = rng.choice(("0:12", "3:9", "7:")) if number else "0:1"
            wrong, status, said = finding(
                [program, "--headless", *files, "-m", "ssd", "-d", "0:7", "--rho", "1", "--threads", "1", "--frames", frames], environment)
            if not number and status != 0:
                wrong = wrong or f"the sound file is not read: exit status {status}"
            if wrong:
                os.makedirs(keep, exist_ok=True)
                kept = os.path.join(keep, f"{options.seed}_{number}_{name}")
                os.replace(path, kept)
                with open(kept + ".log", "wb") as f:
                    f.write(f"{' '.join(files)} --frames {frames}\n".encode() + said)
                wrong += f"; kept in {kept}"
            else:
                os.remove(path)
            return wrong, status in READ

        runs = {name: [pool.submit(one, name, 0)] for name in clips}
        for i in range(options.count if clips else 0):
            name = clips[i % len(clips)]
            runs[name].append(pool.submit(one, name, 1 + i // len(clips)))
        for name, futures in runs.items():
            results = [future.result() for future in futures]
            found = [wrong for wrong, _ in results if wrong]
            for wrong in found:
                print(f"not ok - {name}: {wrong}", flush=True)
            if not found:
                read = sum(read for _, read in results[1:])
                print(f"ok - {name}: {len(results) - 1} damaged files, {read} of them read", flush=True)
            passed += len(results) - len(found)
            failed += len(found)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

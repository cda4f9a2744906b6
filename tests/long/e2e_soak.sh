#!/bin/bash
# What tests/long/monkey calls growth: each series of readings is judged as it would be at the end of a run.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
export PYTHONDONTWRITEBYTECODE=1

# judged VERDICT MEMORY [HANDLES]: 45 readings in 15 minutes. The expressions tell the memory in KiB and the file handles
# at the reading i. VERDICT is empty, or a part of the complaint.
judged() {
    python3 - "$@" <<'PYTHON'
import importlib.machinery, importlib.util, random, sys
loader = importlib.machinery.SourceFileLoader("monkey", "tests/long/monkey")
monkey = importlib.util.module_from_spec(importlib.util.spec_from_loader("monkey", loader))
loader.exec_module(monkey)
verdict, memory, handles = (sys.argv + ["5"])[1:4]
random.seed(1)
readings = monkey.Readings.__new__(monkey.Readings)
readings.all = [(20 * i, eval(memory), eval(handles), 7) for i in range(45)]
told = ""
try:
    readings.judge()
except monkey.Failed as why:
    told = str(why)
sys.exit(0 if told == verdict == "" or verdict and verdict in told else f"it says '{told}'")
PYTHON
}
check "memory that stays does not grow" judged "" "20500 + random.randrange(60)"
steps() { for at in 5 {12..36..3} 43; do judged "" "20500 + 300 * (i >= $at)" || return 1; done; }
check "nor does it if it grows once, whenever that is" steps
check "or ever slower" judged "" "20500 + 600 * (1 - 0.93 ** i)"
check "it grows if a picture is lost each minute" judged "memory grew by more than 1 %" "20500 + 57 * (i // 3)"
check "even if each second one comes back" judged "memory grew by more than 1 %" "20500 + 57 * (i // 6) + random.randrange(60)"
check "or if much is lost at once" judged "memory grew at once" "20500 + 1500 * (i >= 20)"
check "one file handle is enough" judged "file handles grew" 20500 "5 + (i >= 20)"
finish

#!/bin/bash
# The examples for many machines, each under what it is for, on this machine: programs and workers are killed in the
# middle of their parts, and once these have been run again the files are those of one run. GNU parallel always, Slurm and
# Dask with SV_TEST_LONG=1, as in 'make check-long'.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
examples=$PWD/examples
PATH=$(dirname "$program"):$PATH
export PARALLEL_HOME=$WORK/.parallel
cd "$WORK" || exit 1

have() { for each in "$@"; do command -v "$each" >/dev/null || return 1; done; }
for side in left right; do
    ffmpeg -nostdin -v error -i "$assets/demo_$side.mp4" -frames:v 8 -vf scale=160:120 ${side}_%d.png
done
printf '%s\n' 'cam0=[500 0 80; 0 500 60; 0 0 1]' 'cam1=[500 0 80; 0 500 60; 0 0 1]' doffs=0 baseline=200 width=160 height=120 >calib.txt

# write_list NAME: eight pairs, for four parts of two. The calibration of those that end parts 1 and 3 is a pipe: their
# programs wait there until `feed` writes into it. So they can be killed when one file of the part is there and one is not.
write_list() {
    local pair
    mkdir "$1"
    for pair in 1 2 3 4 5 6 7 8; do
        printf 'left_%d.png\tright_%d.png\t%s/%d.pfm' $pair $pair "$1" $pair
        case $pair in 2 | 6) printf '\t%s_%d.txt' "$1" $pair ;; esac
        echo
    done >"$1.tsv"
    mkfifo "$1_2.txt" "$1_6.txt"
}
feed() { timeout $patience cp calib.txt "$1_$2.txt" & }
matching=(-m ssd -d 0:20 --backend cpu)

# program_of NAME PART: the process that matches this part of the list.
program_of() {
    local file
    for file in $(grep -lsx stereoview /proc/[0-9]*/comm); do
        file=${file%/comm}
        tr '\0' ' ' 2>/dev/null <"$file/cmdline" | grep -qF -- " $WORK/$1.tsv --shard $2/4 " && echo "${file##*/}" && return
    done
    return 1
}
# half_done NAME PART: the program of the part has written its first file, and is not at its end; its process is $process.
half_done() {
    [ -e "$1/$((2 * $2 - 1)).pfm" ] && [ ! -e "$1/$((2 * $2)).pfm" ] && process=$(program_of "$1" "$2")
}
# is_gone PROCESS: it ends, whoever asks what became of it.
is_gone() {
    local limit=$((SECONDS + patience))
    while grep -Eqs '^State:.[RSDT]' "/proc/$1/status"; do ((SECONDS < limit)) && sleep 0.05 || return 1; done
}
kill_9() { kill -9 "$1" && is_gone "$1"; }
same() { diff -r one "$1"; }

# Started without what they need, the examples say what that is.
mkdir lacking
echo 'raise ImportError("there is none")' >lacking/dask.py
lacks() { ! "${@:2}" >log 2>&1 && grep -Eq -- "$1" log; }
check "slurm: outside Slurm it says how to be started" lacks 'sbatch --array=1-PARTS .*/slurm.sh' env -u SLURM_ARRAY_TASK_ID "$examples/slurm.sh" 4 --list one.tsv
check "dask: without Dask it says what is missing" lacks "has no dask.distributed .*there is none.*python3-distributed" \
    env PYTHONPATH="$PWD/lacking" "$examples/dask_parts.py" tcp://localhost:1 4 --list one.tsv

write_list one
feed one 2
feed one 6
check "one run" run 0 --headless --list one.tsv "${matching[@]}"
check "makes all files" test "$(ls one | wc -l)" = 8

# ---- GNU parallel ----

of_parallel() {
    "$examples/parallel.sh" --list one.tsv >log 2>&1 </dev/null &
    pid=$!
    check "parallel: the number of parts must be there" ended 2
    write_list parallel
    local run=("$examples/parallel.sh" 4 "${matching[@]}" --list "$WORK/parallel.tsv")
    "${run[@]}" >log 2>&1 </dev/null &
    pid=$!
    check "parallel: a program is killed" eval 'wait_until half_done parallel 1 && kill_9 "$process"'
    feed parallel 2
    check "parallel: and its part run again" wait_until test -e parallel/2.pfm
    check "parallel: all is killed" eval 'wait_until half_done parallel 3 && kill -9 $pid && kill_9 "$process"'
    check "parallel: and ends" ended 137
    check "parallel: before it is complete" test ! -e parallel/6.pfm
    feed parallel 6
    "${run[@]}" >log 2>&1 </dev/null &
    pid=$!
    check "parallel: the same command again succeeds" ended 0
    check "parallel: the files are those of one run" same parallel
    rm parallel/1.pfm
    mv right_1.png away.png
    "${run[@]}" >log 2>&1 </dev/null &
    pid=$!
    check "parallel: a pair that cannot be read makes one part fail" ended 1
    check "parallel: and is named" grep -q 'failed: .*parallel.tsv, line 1: .*right_1.png' log
    mv away.png right_1.png
}

# ---- Slurm: its daemons with a key, ports and folders of their own ----

start_slurm() {
    local host ports
    host=$(hostname -s)
    read -ra ports < <(python3 -c 'import socket
both = [socket.create_server(("127.0.0.1", 0)) for each in range(2)]
print(*[each.getsockname()[1] for each in both])')
    mkdir state spool
    (umask 077 && head -c 128 /dev/urandom >munge.key)
    cat >slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$WORK/munge.socket
StateSaveLocation=$WORK/state
SlurmdSpoolDir=$WORK/spool
SlurmctldPidFile=$WORK/slurmctld.pid
SlurmdPidFile=$WORK/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    export SLURM_CONF=$WORK/slurm.conf
    munged --foreground --force --key-file="$WORK/munge.key" --socket="$WORK/munge.socket" --pid-file="$WORK/munge.pid" \
        --log-file="$WORK/munge.log" --seed-file="$WORK/munge.seed" >/dev/null 2>&1 &
    pid=$! daemons=($!)
    wait_until test -S munge.socket || { cat munge.log && return 1; }
    slurmctld -D >slurmctld.log 2>&1 &
    pid=$! daemons+=($!)
    wait_until scontrol ping || { cat slurmctld.log && return 1; }
    slurmd -D >slurmd.log 2>&1 &
    pid=$! daemons+=($!)
    wait_until eval 'sinfo -h -t idle | grep -q idle' || { cat slurmd.log && return 1; }
}
# The last one that was started first; each is waited for, so that none writes into a folder that is removed.
stop_daemons() {
    local i
    for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
        kill "${daemons[i]}" 2>/dev/null
        pid=${daemons[i]}
        ended 0 143 >/dev/null
    done
    daemons=()
}
daemons=()
trap stop_daemons EXIT

# submit TASKS: runs these tasks of the array and waits for them.
submit() {
    sbatch --wait --array="$1" --cpus-per-task=1 "$examples/slurm.sh" 4 "${matching[@]}" --list "$WORK/slurm.tsv" >log 2>&1 </dev/null &
    pid=$!
}
of_slurm() {
    local before=$failures
    check "slurm: starts" start_slurm
    [ $failures = "$before" ] || return
    write_list slurm
    submit 1-4
    for part in 1 3; do check "slurm: the program of part $part is killed" eval "wait_until half_done slurm $part && kill_9 \"\$process\""; done
    check "slurm: their tasks have failed" ended 1
    check "slurm: the other parts are complete" test -e slurm/4.pfm -a -e slurm/8.pfm -a ! -e slurm/2.pfm -a ! -e slurm/6.pfm
    feed slurm 2
    feed slurm 6
    submit 1,3
    check "slurm: these two run again" ended 0
    check "slurm: the files are those of one run" same slurm
    check "slurm: a log for each task" grep -q 'done: 1 frame, .* 1 frame there already' stereoview-*_1.log
}

# ---- Dask ----

of_dask() {
    local worker
    $python -m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard --scheduler-file dask.json >scheduler.log 2>&1 &
    pid=$! daemons=($!)
    check "dask: the scheduler starts" wait_until test -s dask.json
    for worker in 1 2; do
        $python -m distributed.cli.dask_worker --scheduler-file dask.json --nthreads 1 --no-nanny --no-dashboard --local-directory dask_$worker >worker_$worker.log 2>&1 &
        daemons+=($!)
    done
    check "dask: two workers start" wait_until eval '[ "$(grep -c "Register worker" scheduler.log)" = 2 ]'
    write_list dask
    local run=("$python" "$examples/dask_parts.py" "$(grep -o 'tcp://[^"]*' dask.json | head -1)" 4 "${matching[@]}" --list "$WORK/dask.tsv")
    "${run[@]}" >log 2>&1 </dev/null &
    pid=$!
    check "dask: a program is killed" eval 'wait_until half_done dask 1 && kill_9 "$process"'
    feed dask 2
    check "dask: and its part run again" wait_until test -e dask/2.pfm
    check "dask: a worker is killed" eval 'wait_until half_done dask 3 && kill_9 "$(sed -n "s/^PPid:.//p" "/proc/$process/status")"'
    check "dask: its program ends with it" is_gone "$process"
    feed dask 6
    check "dask: all parts succeed" ended 0
    check "dask: the files are those of one run" same dask
    rm dask/3.pfm left_3.png
    "${run[@]}" >log 2>&1 </dev/null &
    pid=$!
    check "dask: a pair that cannot be read makes its part fail" ended 1
    check "dask: and is named" grep -q 'dask.tsv, line 3: .*left_3.png' log
}

if have parallel; then of_parallel; else skipped "parallel" "GNU parallel is not installed"; fi
if [ -n "${SV_TEST_LONG:-}" ]; then
    PATH=$PATH:/usr/sbin:/sbin
    if have munged slurmctld slurmd sbatch; then of_slurm; else skipped "slurm" "munge, slurmctld, slurmd or slurm-client is not installed"; fi
    stop_daemons
    python=/usr/bin/python3
    if $python -c 'import distributed' 2>/dev/null; then of_dask; else skipped "dask" "python3-distributed is not installed"; fi
    stop_daemons
fi
finish

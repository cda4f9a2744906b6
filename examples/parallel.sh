#!/bin/bash
# Runs stereoview in parts under GNU parallel, one part for each processor at a time:
#
#     parallel.sh PARTS ARGUMENT...        such as: parallel.sh 64 --list pairs.tsv -m sgm
#
# A part that fails is run again, up to twice. If the whole run was interrupted, the same command continues it.
parts=$1
[[ $parts =~ ^[1-9][0-9]*$ ]] || { echo "usage: parallel.sh PARTS ARGUMENT...; PARTS is a number, not '$parts'" >&2; exit 2; }
exec parallel --quote --retries 3 \
    stereoview --headless "${@:2}" --shard "{}/$parts" --resume --threads 1 ::: $(seq "$parts")

#!/bin/bash
# Runs stereoview in parts under GNU parallel, one part for each processor at a time:
#
#     parallel.sh PARTS ARGUMENT...        such as: parallel.sh 64 --list pairs.tsv -m sgm
#
# A part that fails is tried again, twice. What was interrupted goes on when the same command is given again.
parts=$1
exec parallel --quote --retries 3 \
    stereoview --headless "${@:2}" --shard "{}/$parts" --resume --threads 1 ::: $(seq "$parts")

#!/bin/bash
# Runs stereoview in parts as a Slurm job array, whose tasks are the numbers of the parts:
#
#     sbatch --array=1-64 slurm.sh PARTS ARGUMENT...        such as: slurm.sh 64 --list pairs.tsv -m sgm
#
# To run tasks that failed again, give the same command with their numbers, such as --array=7,23.
#SBATCH --job-name=stereoview
#SBATCH --cpus-per-task=4
#SBATCH --output=stereoview-%A_%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
[ -n "$SLURM_ARRAY_TASK_ID" ] || { echo "$0: this is no task of a Slurm job array; start it with: sbatch --array=1-PARTS $0 PARTS ARGUMENT..." >&2; exit 2; }
exec stereoview --headless "${@:2}" --shard "$SLURM_ARRAY_TASK_ID/$1" --resume --threads "$SLURM_CPUS_PER_TASK"

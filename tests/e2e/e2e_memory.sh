#!/bin/bash
# Each memory allocation of a short run fails once, in a run of its own, which must end with an error or with correct
# maps. EVERY=37, the default, tries every 37th allocation; 'make check-long' tries all of them.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/refuse.sh
every=${EVERY:-37}

no_shim "memory that is refused"
run=(--headless --backend cpu --threads 1 -d 0:15 -o FILE_%d.pfm -o FILE_%d.png -o FILE_%d.color.png --stats FILE_stats.json)
make_pictures
refuse_each "pictures" memory "$every" 300 "${run[@]}" -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm"
finish

#!/bin/bash
# Learned models in the program: without ONNX Runtime, without a window, from Python, and in the window. test_net has the
# maps.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
models=$root/build-models
cd "$WORK" || exit 1
small_pair
pair=(-f "$WORK/left.png" "$WORK/right.png")

# ---- Messages without a model and without the runtime ----

check "the method needs a model" refused 2 'the method net needs a model' --headless "${pair[@]}" -m net
touch empty.onnx
check "without the runtime, the message says what to do" env -u LD_LIBRARY_PATH ONNXRUNTIME="$WORK/none.so" bash -c \
    "! '$program' -q --headless ${pair[*]} --model empty.onnx 2>why && grep -q 'ONNX Runtime, which runs models, cannot be loaded: .*none.so' why"
none() { ONNXRUNTIME=$WORK/none.so "$program" --version >version && grep -q '^Models, by the method net: ONNX Runtime, which' version; }
check "so does --version" none
if [ ! -e "$models/made" ]; then
    skipped "models in the program" "there are no models; 'make models' makes them, with Python's pip"
    finish
fi

# ---- Without a window ----

export ONNXRUNTIME=${ONNXRUNTIME:-$models/libonnxruntime.so}
plain=$models/plain.onnx
names() { "$program" --version >version && grep -qE '^Models, by the method net: ONNX Runtime 1\.[0-9.]+ \(.*CPUExecutionProvider\)$' version; }
check "--version names the runtime and its providers" names
check "a model is matched with" run 0 -q --headless "${pair[@]}" --model "$plain" -o map.pfm
check "which is the method net" run 0 -q --headless "${pair[@]}" -m net --model "$plain" -d 0:5 -o same.pfm
check "and needs no range" cmp map.pfm same.pfm
check "another method that is named stays" run 0 -q --headless "${pair[@]}" -m ssd --model "$plain" -d 0:11 -o ssd.pfm
differs() { ! cmp -s map.pfm ssd.pfm; }
check "and is that method" differs
check "refinement is that of the other methods" run 0 -q --headless "${pair[@]}" --model "$plain" --speckle-size 200 --fill row --left-right-check 1 -o refined.pfm
has_holes() { python3 -c "
import sys; sys.path.insert(0, '$(dirname "$look")'); import look, math
a, b = ([v for row in look.read_map(n)[2] for v in row] for n in ('map.pfm', 'refined.pfm'))
assert all(map(math.isfinite, a)) and 0.02 < sum(p != q for p, q in zip(a, b)) / len(a) < 0.9"; }
check "and changes the map" has_holes
check "A and B" run 0 --headless "${pair[@]}" -m ssd -d 0:11 --compare "$plain" --truth map.pfm
read -r -a row < <(grep '^000000' output)
check "B is the model, whose map is the truth" within "${row[11]}" 0 0
check "a model is B's by name, too" run 0 -q --headless "${pair[@]}" --model "$plain" -m ssd --compare net --truth map.pfm
printf 'method: net\nmodel: "%s"\n' "$plain" >my.yaml
check "settings name the model" run 0 -q --headless "${pair[@]}" --settings my.yaml -o again.pfm
check "and match with it" cmp map.pfm again.pfm
printf '%s\t%s\t%s\n' left.png right.png listed.pfm >pairs.tsv
check "a list of pairs" run 0 -q --headless --list pairs.tsv --model "$plain"
check "has the same map" cmp map.pfm listed.pfm
check "the benchmark has the times of the copies" run 0 -q --headless "${pair[@]}" --model "$plain" --benchmark --stats stats.json
copies() { python3 -c "
import json; s = json.load(open('stats.json'))['stages']
assert all(s[k]['median_ms'] > 0 for k in ('upload', 'match', 'download')), s" && ! grep -q evaluations output; }
check "apart" copies
check "a file that is no model is refused" refused 1 'empty.onnx is not an ONNX model' --headless "${pair[@]}" --model empty.onnx
check "and a missing one" refused 1 'cannot read the model gone.onnx' --headless "${pair[@]}" --model gone.onnx

# ---- Python ----

python=/usr/bin/python3
if $python -c 'import numpy, cffi, pytest, cv2' 2>/dev/null; then
    from_python() {
        LD_LIBRARY_PATH=$(dirname "$program") PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1 $python - "$plain" <<'PYTHON'
import sys, cv2, numpy as np, stereoview
colour = [cv2.cvtColor(cv2.imread(n), cv2.COLOR_BGR2RGB) for n in ("left.png", "right.png")]
left, right = (cv2.imread(n, 0) for n in ("left.png", "right.png"))
got = stereoview.match(left, right, method="net", model=sys.argv[1], colour=colour)
rows = open("map.pfm", "rb").read().split(b"\n", 3)[3]
want = np.frombuffer(rows, "<f4").reshape(got.shape)[::-1]
assert np.array_equal(got, want), abs(got - want).max()
try:
    stereoview.match(left, right, method="net")
    sys.exit("a model is needed")
except ValueError as error:
    assert "needs a model" in str(error), error
PYTHON
    }
    check "Python's map is the program's" from_python
else
    skipped "Python's map" "python3-numpy, python3-cffi or python3-pytest is not installed"
fi

# ---- The window ----

need_window "models in the window"
shots=$WORK/shots
start --demo -m sgm -d 0:31 --compare "$plain" --snapshots "$shots" --stats stats.json
both() { grep -q '"compare_b_ms": [1-9]' stats.json; }
check "sgm and the model in the window" quit
check "both have their times" both
start --demo --model "$plain" --snapshots "$shots"
named() { grep -hqs "^model: \"$plain\"" "$shots"/*.yaml; }
check "a snapshot names the model" wait_until named
press space
check "q closes it" quit
repeats() { last=$(ls "$shots"/*.yaml | tail -1) && run 0 -q --headless --settings "$last" -o again.pfm && cmp "${last%.yaml}.pfm" again.pfm; }
check "and repeats its map" repeats

# A model that takes seconds for a pair: the window answers, and a key ends the run.
launch --demo --model "$models/slow.onnx" --threads 1 --stats stats.json --snapshots "$shots"
begun() { grep -q 'slow.onnx: inputs' log; }
check "a slow model is opened" wait_until begun
point 300 300
press m # ssd
mapped() { snapshot && grep -q '^method: ssd' "${picture%.color.png}.yaml"; }
check "another method takes over before its first map" wait_until mapped
check "and the window closes" quit
python3 -c "
import json; print('# respond, which depends on the machine:', json.load(open('stats.json'))['stages']['respond'])"
finish

"""The benchmark of tpu-mlir reads its profiles and messages, and shows what is refused or lost."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import tpu_mlir
from models.catalogue import NETWORKS, Network
from onnx import ModelProto, parser
from tpu_mlir_page import FOR_INT8, TARGETED, cell, lanes, problems, summary
from tpu_mlir_reports import Compiler, Estimate, reason
from vendor_rows import OURS, Row, report

PROFILE = """\
ENGINE_BD                                     ENGINE_GDMA
                                              Load_25|GDMA_TENSOR|s:0|b:0|g:1|e:5572|t:5573|dr:0|sz:301056|bw:50.31
Attention_36|MM|s:7141|b:2|g:3|e:7924|t:784   Permute_7|GDMA_TENSOR|s:7141|b:1|g:4|e:8239|t:1099|dr:2|sz:232|bw:0.20
Attention_36|AR|s:7925|b:3|g:3|e:8708|t:784   Permute_7|GDMA_TENSOR|s:8240|b:1|g:5|e:9338|t:1001|dr:2|sz:116|bw:0.10
Permute_12|LANE_COPY|s:8709|b:4|g:3|e:10276|t:900
--------------------------------------
API_END total_cycle:541938|b:258|g:200
GDMA SUMMARY : |dr[0] S2L:3000000|dr[1] L2S:200000|dr[2] S2S:10000|dr[3] L2L:7
flops: 293982768, runtime: 0.541938ms, ComputationAbility: 0.542466T
"""
ASSERTION = """\
error: something else
ASSERT executed at/build/lib/Dialect/Top/Interfaces/MatMul.cpp:66
ASSERT INFO:a_s[i] == b_s[i] || a_s[i] == 1
Operation:
Traceback (most recent call last):
RuntimeError: [!Error]: tpuc-opt net_origin.mlir -o net.mlir
"""
FAILED = """\
[0]/firmware_core/src/nodechip_batch_matmul_local.c:515: nodechip_v2: Assertion "shape[3] == 1" failed.
RuntimeError: [!Error]: tpuc-opt net_final.mlir
"""
UNREACHABLE = """\
[Running]: tpuc-opt net_origin.mlir
failed to clone tensor sub_1, exist
cloneTensor error!
UNREACHABLE executed at /build/lib/Support/TensorFile.cpp:125!
RuntimeError: [!Error]: tpuc-opt net_origin.mlir
"""
TRACEBACK = """\
Traceback (most recent call last):
    raise RuntimeError("Unsupport opset for {}".format(node.op_type))
RuntimeError: Unsupport opset for ReduceMean

"""
ESTIMATE = Estimate(0.541938, 2, 0.003, 1, 3_210_000)


def environment(folder: Path, transform: str, deploy: str) -> Path:
    """A folder with the two programs of the compiler, each of these lines of a shell."""
    (folder / "bin").mkdir(parents=True)
    for name, text in (("model_transform.py", transform), ("model_deploy.py", deploy)):
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / "bin" / name).chmod(0o755)
    return folder


def test_an_estimate_is_read_from_the_profile(tmp_path: Path):
    deploy = f"cat > compiler_profile_0.txt << END\n{PROFILE}END"
    tools = environment(
        tmp_path / "tpu", 'echo "$@" > net.mlir', f'grep -q "model_def net.onnx" net.mlir || exit 1\n{deploy}'
    )
    assert Compiler(tools, "chip", 60).compiled(Path("net.onnx"), tmp_path) == ESTIMATE


def test_int8_is_calibrated_with_samples(tmp_path: Path):
    tools = environment(
        tmp_path / "tpu",
        '[ -z "$7" ] && touch net.mlir',
        f'[ "$3 $4" = "--quantize INT8" ] && [ "$5 $(cat $6)" = "--calibration_table ranges" ] || exit 1\n'
        f"cat > compiler_profile_0.txt << END\n{PROFILE}END",
    )
    calibration = tools / "bin" / "run_calibration.py"
    calibration.write_text(
        '#!/bin/sh\n[ "$1 $2 $4 $5" = "net.mlir --data_list --tune_num 0" ] || exit 1\n'
        "test -f $(head -n 1 $3) && printf ranges > $7\n"
    )
    calibration.chmod(0o755)
    samples = tpu_mlir.written_samples(tmp_path, [{"a": np.zeros(2), "b": np.ones(1)}, {"a": np.ones(2)}])
    compiler = Compiler(tools, "chip", 60, is_int8=True)
    assert compiler.compiled(tmp_path / "net.onnx", tmp_path, samples) == ESTIMATE
    first, second = (np.load(line) for line in samples.read_text().splitlines())
    assert ({**first}.keys(), first["b"].tolist(), second["a"].tolist()) == ({"a", "b"}, [1], [1, 1])
    calibration.write_text("#!/bin/sh\necho 'ValueError: no numbers'\nexit 1\n")
    found = compiler.compiled(tmp_path / "net.onnx", tmp_path, samples)
    assert found == "run_calibration.py: ValueError: no numbers"


def test_a_program_is_simulated_on_the_first_sample(tmp_path: Path):
    first = tmp_path / "sample_0.npz"
    tools = environment(
        tmp_path / "tpu",
        f'[ "$7 $8 $9" = "--test_input {first} --test_result" ] && shift && echo run > $9',
        f'shift 11\n[ "$1 $2 $3 $(cat $4)" = "--test_input {first} --test_reference run" ] || exit 1\n'
        f"compares < /dev/null && cat > compiler_profile_0.txt << END\n{PROFILE}END",
    )
    (tools / "bin" / "compares").write_text("#!/bin/sh\nexit 0\n")
    (tools / "bin" / "compares").chmod(0o755)
    samples = tpu_mlir.written_samples(tmp_path, [{"a": np.zeros(2)}, {"a": np.ones(2)}])
    compiler = Compiler(tools, "chip", 60, is_simulated=True)
    assert compiler.compiled(tmp_path / "net.onnx", tmp_path, samples) == ESTIMATE
    (tools / "bin" / "compares").write_text("#!/bin/sh\necho 'RuntimeError: far apart'\nexit 1\n")
    found = compiler.compiled(tmp_path / "net.onnx", tmp_path, samples)
    assert found == "model_deploy.py: RuntimeError: far apart"


def test_a_profile_of_a_part_is_no_estimate(tmp_path: Path):
    graph = 'module @net attributes {module.top_run_mode = "DYNAMIC"} {}'
    tools = environment(
        tmp_path / "tpu", f"echo '{graph}' > net.mlir", f"cat > compiler_profile_0.txt << END\n{PROFILE}END"
    )
    found = Compiler(tools, "chip", 60).compiled(tmp_path / "net.onnx", tmp_path)
    assert found == "compiler_profile_0.txt lacks ops: sizes are computed at run time"


def test_what_is_refused_has_its_reason(tmp_path: Path):
    tools = environment(tmp_path / "tpu", f"cat >&2 << 'END'\n{TRACEBACK}END\nexit 1", "exit 0")
    found = Compiler(tools, "chip", 60).compiled(tmp_path / "net.onnx", tmp_path)
    assert found == "model_transform.py: RuntimeError: Unsupport opset for ReduceMean"
    tools = environment(tmp_path / "other", "exit 0", "exit 0")
    assert Compiler(tools, "chip", 60).compiled(tmp_path / "net.onnx", tmp_path) == "no compiler_profile_0.txt"
    tools = environment(tmp_path / "hangs", "exit 0", "sleep 100")
    found = Compiler(tools, "chip", 0.5).compiled(tmp_path / "net.onnx", tmp_path)
    assert found == "model_deploy.py: stopped after 0 s"
    assert reason(ASSERTION) == "MatMul.cpp:66: a_s[i] == b_s[i] || a_s[i] == 1"
    assert reason(FAILED) == "nodechip_batch_matmul_local.c:515: shape[3] == 1"
    assert reason(UNREACHABLE) == "failed to clone tensor sub_1, exist: TensorFile.cpp:125"
    assert reason("loc(a): error: no such op\nmore") == "error: no such op"
    assert reason("") == "failed"


@pytest.mark.parametrize(
    ("model", "lanes", "found"),
    [
        ("net", {"original": 1.0, OURS: 1.005, TARGETED: 0.5}, []),
        ("net", {"original": 1.0, OURS: 1.02}, [f"{OURS}: 1.020 ms, the best takes 1.000"]),
        ("net", {"original": 1.0, OURS: 1.0, "onnxsim": 0.9}, []),
        ("net", {"original": 1.0, "onnxsim": 0.9, TARGETED: 0.95}, [f"{TARGETED}: 0.950 ms, the best takes 0.900"]),
        ("net", {"original": "no", "onnxsim": 0.9, TARGETED: "no"}, [f"{TARGETED}: refused, which another is not: no"]),
        ("net", {"original": 1.0, OURS: "no"}, [f"{OURS}: refused, which another is not: no"]),
        ("net", {"original": "no", OURS: "no"}, []),
        ("net", {"original": "no", "older opset": 1.0, OURS: 2.0}, [f"{OURS}: 2.000 ms, the best takes 1.000"]),
        ("shufflenet_v2", {"original": 0.6, OURS: 0.6, TARGETED: 0.4}, []),
        ("shufflenet_v2", {"original": 0.6, TARGETED: 0.5}, [f"{TARGETED}: 0.500 ms, the aim is 0.46"]),
        ("net", {"original": 1.0, FOR_INT8: 1.1}, [f"{FOR_INT8}: 1.100 ms, the best takes 1.000"]),
    ],
)
def test_what_is_lost_is_a_problem(model: str, lanes: dict[str, float | str], found: list[str]):
    estimates = {lane: each if isinstance(each, str) else Estimate(each, 0, 0, 0, 0) for lane, each in lanes.items()}
    assert list(problems(Row[Estimate](model, estimates))) == found


def test_the_table_has_the_figures():
    text = report([Row[Estimate]("net", {"original": "no", OURS: ESTIMATE})], lanes(False), cell)
    assert "| net | refused |  |  |  |  | 0.542 (2: 0.003; 1; 3.1 MiB) |  |" in text


def test_the_gain_is_that_over_the_best_optimizer_where_there_are_permutes():
    def row(permutes: int, **lanes: float) -> Row[Estimate]:
        return Row(
            "net", {lane.replace("ours", TARGETED): Estimate(ms, permutes, 0, 0, 0) for lane, ms in lanes.items()}
        )

    rows = [
        row(1, original=4, onnxsim=4, onnxslim=3, ours=1.5),
        row(2, original=9, onnxsim=8, ours=1),
        row(0, original=9, onnxsim=9, ours=1),
        row(1, original=9, ours=1),
        row(1, original=9, onnxsim=9),
    ]
    assert "On 2 networks with Permutes, " in summary(rows)
    assert " takes 4.000 times as long as that of " in summary(rows)
    assert summary(rows[2:]) == ""


def test_it_says_how_to_install_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.argv", ["tpu_mlir.py", "--environment", str(tmp_path)])
    assert tpu_mlir.main() == 2
    assert "pip install tpu-mlir==" in capsys.readouterr().err


@pytest.mark.parametrize(("opset", "begun"), [(17, "original"), (18, "older_opset")])
def test_other_optimizers_begin_with_a_file_that_the_compiler_reads(
    opset: int, begun: str, monkeypatch: pytest.MonkeyPatch
):
    proto = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[2,3] x) => (float[2,3] y) {{ y = Relu (x) }}""")
    seen: list[tuple[str, str, list[str]]] = []

    def fixed(_network: Network) -> ModelProto:
        return proto

    def written(original: Path, lane: str, flags: Sequence[str]) -> Path:
        seen.append((lane, original.stem, [*flags]))
        file = original.with_name(f"{lane.replace(' ', '_')}.onnx")
        file.write_bytes(original.read_bytes())
        return file

    def compiled(_compiler: Compiler, file: Path, _folder: Path, samples: Path) -> str:
        assert samples.is_file()
        return file.stem

    monkeypatch.setattr(tpu_mlir, "with_fixed_sizes", fixed)
    monkeypatch.setattr(tpu_mlir, "written", written)
    monkeypatch.setattr(Compiler, "compiled", compiled)
    row = Row[Estimate]("net")
    lanes = ("onnxsim", "original", "older opset", OURS)
    form = ["-t", "onnx{opset=17}"] if opset > 17 else []
    done = list(tpu_mlir.measure(row, NETWORKS[0], Compiler(Path(), "chip", 1), 17, lanes))
    assert done == [lane for lane in lanes if opset > 17 or lane != "older opset"]
    first, *rest = [(lane, flags) for lane, _, flags in seen if lane != "onnxsim"]
    assert first == (begun.replace("_", " "), form)
    assert (OURS, ["-O", *form]) in rest
    assert [name for lane, name, _ in seen if lane == "onnxsim"] == [begun]

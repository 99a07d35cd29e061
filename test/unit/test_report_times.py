"""Times that are laid over the ops of a page: files that are wrong, and names."""

from pathlib import Path

import pytest
from npu_opt.text.diagnostics import ReportedError
from npu_opt.tools.report.overlay import laid_over
from npu_opt.tools.report.records import FunctionRecord, OpRecord
from npu_opt.tools.report.times import Times, read_times, time_text

WRONG = {
    '{"traceEvents": []}': (
        "1:1: error: expected a list of events, as ONNX Runtime's SessionOptions.enable_profiling writes"
    ),
    '[{"name": "session_initialization"}, 3]': (
        "1:1: error: no event '..._kernel_time': the profile has no run of a model"
    ),
    '[{"name": "a_kernel_time", "ts": 1, "dur": "2"}]': (
        "1:1: error: event 'a_kernel_time': expected a number as 'dur', found \"2\""
    ),
    '[{"name": "a_kernel_time", "ts": NaN, "dur": 2}]': (
        "1:1: error: event 'a_kernel_time': expected a number as 'ts', found NaN"
    ),
    "": (
        "1:1: error: expected a profile of ONNX Runtime (JSON), or a table with the columns 'Op Cycles' and 'Name', "
        "as vela --verbose-performance writes"
    ),
    "Name,Op Cycles\n": "1:1: error: the table has no layers",
    "Name,Op Cycles\nfirst\n": "2:1: error: expected 2 columns, found 1",
    "Name,Op Cycles\n\nfirst,-1\n": "3:7: error: expected a number of cycles, found '-1'",
    f"Name,Op Cycles\n{'a' * 140_000},1": "2:1: error: not a table: field larger than field limit (131072)",
    "[" * 100_000: "1:1: error: not a profile of ONNX Runtime: too deeply nested, or numbers that are too long",
    f"[{'9' * 9999}]": "1:1: error: not a profile of ONNX Runtime: too deeply nested, or numbers that are too long",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_files_that_have_no_times(text: str, tmp_path: Path):
    (tmp_path / "times").write_text(text)
    with pytest.raises(ReportedError) as error:
        read_times(str(tmp_path / "times"))
    assert str(error.value) == f"{tmp_path / 'times'}:{WRONG[text]}"


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(ReportedError, match=r"cannot read: No such file or directory$"):
        read_times(str(tmp_path / "times"))


def op(model_name: str, name: str = "%v", move: str = "") -> OpRecord:
    return OpRecord("transpose" if move else "conv2d", name, model_name, "", "", "plain", move=move)


def test_a_time_belongs_to_one_op():
    ops = [op("/a", move="NCHW to NHWC"), op("/a"), op("/a"), op("", "%b"), op("/b")]
    times = Times("file", "test", "us", {"/a": 2.0, "b": 3.0, "%b": 4.0, "/a_nchwc": 0.5, "/a_output_0": 0.5})
    found = laid_over([FunctionRecord("f", ops[:2]), FunctionRecord("g", ops[2:])], times)
    assert [each.time for each in ops] == [0, 3, 0, 3, 0]
    assert found.unmatched == [("%b", 4.0)]
    assert found.text == "60.0 % of 10 us (test): 4 of 5 names are those of ops"


def test_no_time_is_no_share():
    assert laid_over([], Times("file", "test", "cycles", {"a": 0.0})).text.startswith("no time (test)")


@pytest.mark.parametrize(
    ("time", "unit", "text"),
    [(0.25, "us", "0.25 us"), (99.96, "us", "100 us"), (1234, "us", "1.23 ms"), (123456, "cycles", "123,456 cycles")],
)
def test_times_are_written_short(time: float, unit: str, text: str):
    assert time_text(time, unit) == text

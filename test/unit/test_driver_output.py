"""Results are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest
from npu_opt.tools.driver.console.output import write_file, write_stdout


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    old_mask = os.umask(0o027)
    try:
        write_file(str(tmp_path / "new"), "text é")
    finally:
        os.umask(old_mask)
    assert (tmp_path / "new").read_bytes() == "text é".encode()
    assert _mode(tmp_path / "new") == 0o640


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("old")
    path.chmod(0o604)
    write_file(str(path), "new")
    assert path.read_text() == "new"
    assert _mode(path) == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    write_file(str(tmp_path / "link"), "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "file").read_text() == "text"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old"
    path.write_text("old")

    def full_disk(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_file(str(path), "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_file(str(path), "\udcff")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_file(str(path), "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_stdout_that_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    print("before")
    assert write_stdout("text") == 0
    assert capsys.readouterr().out == "before\ntext"


def test_stdout_keeps_its_order(capfd: pytest.CaptureFixture[str]) -> None:
    print("before")
    assert write_stdout("text\n") == 0
    print("after")
    assert capfd.readouterr().out == "before\ntext\nafter\n"

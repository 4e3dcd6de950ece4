"""Masks out of files: formats, archives, names that make pairs, and a sentence for all that cannot be compared."""

import io
import zipfile
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from evalcore.analyses import Source
from evalcore.readers import DataSet, ReadProblem, named_pictures, open_masks, read_files, read_masks, read_table

MASK = np.array([[0, 1, 1], [0, 0, 1]], np.uint8)


def picture(pixels: np.ndarray, form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, form)
    return file.getvalue()


def array(values: np.ndarray, save: Callable = np.save) -> bytes:
    file = io.BytesIO()
    save(file, values)
    return file.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def codes(data: DataSet) -> list[str]:
    return [finding.code for finding in data.findings]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", picture(MASK * 255)),
        ("a.tif", picture(MASK * 255, "TIFF")),
        ("a.npy", array(MASK.astype(bool))),
        ("a.npz", array(MASK.astype(np.int64), np.savez)),
        ("a.png", picture(np.stack([MASK * 255] * 3, axis=-1))),
        ("some.zip", zipped({"folder/a_mask.png": picture(MASK * 255), "__MACOSX/._a.png": b"x", "folder/.DS": b"y"})),
    ],
    ids=["png", "tiff", "npy", "npz", "grey in three colours", "zip"],
)
def test_a_mask_is_read_in_each_form(name: str, data: bytes) -> None:
    images = read_masks({name: data}, {"a_pred.png": picture(MASK * 255)}).state("mask_images")
    assert images.actual[0].tolist() == images.predicted[0].tolist() == MASK.tolist()


def test_names_make_pairs_and_who_has_no_partner_is_told() -> None:
    truth = {name: picture(MASK) for name in ("x_1_gt.png", "x_2_gt.png", "alone.png")}
    given = {"x_2.png": picture(MASK), "x_1-pred.png": picture(MASK[:, :2]), "other.png": picture(MASK)}
    data = read_masks(truth, given)
    assert data.frame["image"].tolist() == ["x_2"]
    assert codes(data) == ["masks without partner", "masks of different sizes"]
    assert '"alone", "other"' in data.findings[0].sentence
    assert '"x_1"; the first are 3 × 2 and 2 × 2' in data.findings[1].sentence


def test_probabilities_are_kept_to_sixteen_bits_and_labels_as_they_are() -> None:
    chances = np.array([[0.25, 0.5, 1.0], [0, 0.125, 0.75]])
    images = read_masks({"a.png": picture(MASK)}, {"a.npy": array(chances)}).state("mask_images")
    assert images.are_probabilities
    assert images.predicted[0] == pytest.approx(chances, abs=1e-5)
    labels = MASK * np.array([[1, 2, 7]], np.uint8)
    images = read_masks({"a.png": picture(labels)}, {"a.png": picture(labels)}).state("mask_images")
    assert images.labels == (2, 7)
    grey = np.arange(64, dtype=np.uint8).reshape(8, 8) * 4
    data = read_masks({"a.png": picture((grey > 99).astype(np.uint8))}, {"a.png": picture(grey)})
    assert codes(data) == ["probability maps"]
    assert data.state("mask_images").predicted[0] == pytest.approx(grey / 255, abs=1e-5)


def test_they_are_a_table_that_can_be_stored() -> None:
    data = read_masks({"a.png": picture(MASK)}, {"a.png": picture(MASK)})
    again = read_table(data.frame.to_csv(index=False).encode(), name="masks.csv")
    assert (again.kind, again.state("mask_images").labels) == ("masks", (1,))
    assert "read_table('masks.csv')" in Source.of(again).code


COLOUR = picture(np.arange(18, dtype=np.uint8).reshape(2, 3, 3))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (COLOUR, '"a.png" is a colour image'),
        (b"no picture", '"a.png" is not a PNG'),
        (b"\x93NUMPY\x01\x00", '"a.png" is not an array'),
        (b"PK\x03\x04 damaged", '"a.png" is not an archive'),
        (array(np.array([[0.5, 1.5]])), "fractions from 0.5 to 1.5"),
        (array(np.array([[0.5, np.nan]])), "missing or infinite"),
        (array(np.array([[0, 300]])), "labels from 0 to 300"),
        (array(np.zeros((2, 2, 2, 2))), "has the shape"),
        (array(np.array([["a"]])), "no numbers"),
        (zipped({}), "no mask"),
        (picture(MASK[:1]), "different sizes"),
        (zipped({"b.png": picture(MASK), "c.png": picture(MASK)}), "in both"),
        (zipped({"x/a.png": picture(MASK), "y/a.png": picture(MASK)}), 'of the image "a"'),
    ],
)
def test_what_is_no_mask_is_said(data: bytes, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        read_masks({"a.png": picture(MASK)}, {"a.png": data})


def test_a_truth_of_fractions_is_refused() -> None:
    with pytest.raises(ReadProblem, match=r"actual masks.*fractions"):
        read_masks({"a.npy": array(np.array([[0.5, 1.0]]))}, {"a.npy": array(np.array([[0, 1]]))})


def test_small_files_of_many_pixels_are_refused_before_they_fill_the_memory(monkeypatch) -> None:
    monkeypatch.setattr("evalcore.readers.join.masks.MOST_TOGETHER", 4 * MASK.size)
    files = {f"{number}.png": picture(MASK) for number in range(5)}
    with pytest.raises(ReadProblem, match="more than 67 million pixels together"):
        read_masks(files, files)


SHORT, WIDE = picture(1 - MASK), picture(MASK * 255)


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a_pred.png": SHORT, "a_gt.png": WIDE}, []),
        ({"truth.zip": zipped({"a.png": WIDE}), "model 2.zip": zipped({"a.png": SHORT})}, []),
        ({"gt.npz": array(MASK, np.savez), "x.npy": array(MASK)}, []),
        ({"a_gt.png": WIDE, "b_gt.png": WIDE, "a-prediction.png": SHORT, "b-prediction.png": SHORT}, []),
        ({"one.png": WIDE, "two.png": SHORT}, ["unnamed masks"]),
        ({"all.zip": zipped({"x/prediction/a.png": SHORT, "x/truth/a.png": WIDE})}, []),
        ({"all.zip": zipped({"masks_b/a.png": SHORT, "masks_a/a.png": WIDE, "masks_a/.DS": b"x"})}, ["unnamed masks"]),
        ({"all.zip": zipped({"x/a_pred.png": SHORT, "x/a_gt.png": WIDE})}, []),
    ],
    ids=["names", "zips", "truth named alone", "four", "no names", "two folders", "unnamed folders", "one folder"],
)
def test_masks_that_are_opened_together_make_pairs(files: dict[str, bytes], code: list[str], monkeypatch) -> None:
    monkeypatch.setattr("evalcore.readers.files.columnar.is_child", True)
    data = read_files(files)
    assert (data.kind, codes(data), len(data)) == ("masks", code, max(len(files) // 2, 1))
    assert data.state("mask_images").actual[0].tolist() == MASK.tolist()
    assert (data.name == "all.zip") == (len(files) == 1)


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a.png": SHORT}, "open the actual"),
        ({"all.zip": zipped({"a.npy": array(MASK)})}, "open the actual"),
        ({f"{letter}.png": SHORT for letter in "abc"}, "names of these 3"),
    ],
)
def test_masks_of_one_side_are_told_what_is_missing(files: dict[str, bytes], sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        read_files(files)


def test_pictures_are_decoded_in_a_child_process() -> None:
    with pytest.raises(ReadProblem, match=r'"b\.png" is a colour image'):
        open_masks({"a.png": SHORT}, {"b.png": COLOUR})


def test_pictures_are_told_by_their_size() -> None:
    cells = read_masks({"a.png": SHORT}, {"a.png": SHORT}).frame["actual"]
    cut = "iVBORw0KGgo!"
    assert named_pictures(pd.Series([*cells, cut, None], dtype="str")).tolist()[:2] == ["PNG 3 × 2", cut]

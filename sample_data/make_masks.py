"""Make two samples of digits at half of their resolution: masks of their ink, and how sure a model is of them."""

import argparse
import base64
import struct
import zlib
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
SIZE, IMAGES = 32, 40
LEARNED_FROM = 600


def digit_masks(folder: Path) -> None:
    """Two masks of each image, in one file."""
    from sklearn.datasets import load_digits

    lines = ["image,actual,predicted"]
    for number, ink in enumerate(load_digits().images[:IMAGES]):
        coarse = ink.reshape(4, 2, 4, 2).mean(axis=(1, 3))
        lines.append(f"digit {number:02},{_png(_enlarged(ink) >= 8)},{_png(_enlarged(coarse) >= 6)}")
    (folder / "digit_masks.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def digit_confidence(folder: Path) -> None:
    """How sure a model is of images it has not seen, and of the same images at half of the resolution."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    digits = load_digits()
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1000))
    model.fit(digits.data[:LEARNED_FROM], digits.target[:LEARNED_FROM])
    sharp = digits.images[LEARNED_FROM:]
    coarse = sharp.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).repeat(2, axis=1).repeat(2, axis=2)
    columns = (model.predict_proba(images.reshape(-1, 64)).max(axis=1).round(4) for images in (sharp, coarse))
    lines = ["full_resolution,half_resolution", *(f"{one},{other}" for one, other in zip(*columns, strict=True))]
    (folder / "digit_confidence.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _enlarged(image: np.ndarray) -> np.ndarray:
    """An image at 32 × 32 pixels, linear between the middles of its own."""
    size = len(image)
    at, own = (np.arange(SIZE) + 0.5) * size / SIZE, np.arange(size) + 0.5
    wide = np.array([np.interp(at, own, row) for row in image])
    return np.array([np.interp(at, own, column) for column in wide.T]).T


def _png(mask: np.ndarray) -> str:
    """A PNG of one bit per pixel in base64, not compressed, so that it is the same with any version of zlib."""
    lines = b"".join(b"\0" + row.tobytes() for row in np.packbits(mask, axis=1))
    png, header = b"\x89PNG\r\n\x1a\n", struct.pack(">IIBBBBB", SIZE, SIZE, 1, 0, 0, 0, 0)
    for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 0)), (b"IEND", b"")):
        png += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return base64.b64encode(png).decode()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write the files")
    digit_masks(parser.parse_args().folder)
    digit_confidence(parser.parse_args().folder)

"""Detection on the model and pictures that ship with the project; reference boxes are those of ONNX Runtime."""

import shutil
import struct
import zlib

import pytest
from conftest import shared_file

DOG = [("dog", 0.855, [132.8, 206.6, 325.7, 543.1]), ("bicycle", 0.804, [55.6, 137.1, 572.2, 423.4]),
       ("car", 0.797, [466.2, 78.3, 692.4, 171.3])]


@pytest.fixture
def model():
    return shared_file("models/yolox_nano.onnx")


@pytest.fixture
def dog():
    return shared_file("images/dog.jpg")


def png(path, width=64, height=64):
    """A grey picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * width) * height
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path


def test_the_objects_in_a_picture(overt, model, dog):
    found = overt("detect", model, dog, "--score", "0.5", "--json").json
    assert found["provider"] == "cpu"
    assert found["placement"]["nodes"] == 369 and found["placement"]["copies"] == 0
    assert found["placement"]["by_provider"]["cpu"] > 300
    (image,) = found["images"]
    assert (image["path"], image["width"], image["height"]) == (str(dog), 768, 576)
    assert set(image["ms"]) == {"decode", "preprocess", "infer", "postprocess"}
    assert [detection["label"] for detection in image["detections"]] == [label for label, _, _ in DOG]
    for detection, (_, score, box) in zip(image["detections"], DOG):
        assert detection["score"] == pytest.approx(score, abs=0.01)
        assert detection["box"] == pytest.approx(box, abs=2)
    assert [detection["class_id"] for detection in image["detections"]] == [16, 1, 2]


def test_text_has_a_line_for_each_object(overt, model, dog):
    lines = overt("detect", model, dog, "--score", "0.5").out.splitlines()
    assert lines[0].startswith(f"{dog} (768 x 576): 3 detections; decode ")
    assert [line.split()[0] for line in lines[1:]] == ["dog", "bicycle", "car"]


def test_marked_pictures_keep_their_names_in_the_folder(overt, model, dog, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(dog, tmp_path / folder / "dog.jpg")
    found = overt("detect", model, "a/dog.jpg", "b/dog.jpg", "--output", "new/marked", "--json").json
    assert [image["output"] for image in found["images"]] == ["new/marked/dog.jpg", "new/marked/dog-2.jpg"]
    marked = (tmp_path / "new/marked/dog.jpg").read_bytes()
    assert marked.startswith(b"\xff\xd8") and marked != dog.read_bytes()
    assert sorted(path.name for path in (tmp_path / "new/marked").iterdir()) == ["dog-2.jpg", "dog.jpg"]


def test_one_picture_may_be_written_to_a_file(overt, model, tmp_path):
    png(tmp_path / "grey.png")
    overt("detect", model, "grey.png", "--output", "marked.png")
    assert (tmp_path / "marked.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_is_not_overwritten_by_its_marked_one(overt, model, tmp_path):
    before = png(tmp_path / "grey.png").read_bytes()
    error = overt("detect", model, "grey.png", "--output", ".", code=1).error
    assert "the marked picture would overwrite grey.png; give another --output" in error
    assert (tmp_path / "grey.png").read_bytes() == before


def test_a_picture_that_fails_is_named_and_the_others_go_on(overt, model, tmp_path):
    (tmp_path / "text.jpg").write_text("no picture")
    png(tmp_path / "grey.png")
    result = overt("detect", model, "text.jpg", "missing.jpg", "grey.png", "--json", code=1)
    images = result.json["images"]
    assert "text.jpg" in images[0]["error"] and "missing.jpg" in images[1]["error"]
    assert images[2]["width"] == 64 and images[2]["detections"] == []
    assert result.err.count("error: ") == 2


def test_labels_from_a_file(overt, model, dog, tmp_path):
    (tmp_path / "names.txt").write_text("".join(f"class {i}\n" for i in range(80)))
    found = overt("detect", model, dog, "--labels", "names.txt", "--score", "0.8", "--json").json
    assert [detection["label"] for detection in found["images"][0]["detections"]] == ["class 16", "class 1"]
    (tmp_path / "few.txt").write_text("one\ntwo\n")
    error = overt("detect", model, dog, "--labels", "few.txt", code=1).error
    assert "2" in error and "80" in error


@pytest.mark.parametrize("args, expected", [
    (["--score", "1.5"], "--score"),
    (["--head", "yolo"], "'yolo' is not known here; there are auto, raw and decoded"),
    (["--mean", "1,2"], "--mean: '1,2' is not 3 numbers with commas between"),
    (["--input-size", "416"], "--input-size: '416' is not of the form WIDTHxHEIGHT"),
])
def test_wrong_options(overt, model, dog, args, expected):
    assert expected in overt("detect", model, dog, *args, code=2).error


def test_a_model_that_is_no_detector_is_an_error(overt, affine, tmp_path):
    png(tmp_path / "grey.png")
    assert "code: invalid_argument" in overt("detect", affine, "grey.png", code=1).error

import numpy
import pytest
from conftest import shared_file


def test_a_provider_is_the_same_as_itself(overt, convolution):
    found = overt("compare", convolution, "--a", "cpu", "--b", "cpu", "--json").json
    assert found["within_tolerance"] and found["first"] is None and found["worst"] is None
    assert found["compared"] >= 1 and found["only_a"] == found["only_b"] == []


def test_without_passes_every_value_is_compared(overt, convolution):
    found = overt("compare", convolution, "--a", "cpu", "--b", "cpu", "--passes-a", "off", "--passes-b", "off",
                  "--onednn-b", "off", "--json").json
    assert [tensor["name"] for tensor in found["tensors"]] == ["c", "r", "y"]
    assert found["within_tolerance"]


def test_values_that_were_fused_away_are_on_one_side(overt, convolution):
    found = overt("compare", convolution, "--a", "cpu", "--b", "cpu", "--passes-b", "off", "--json").json
    assert "c" in found["only_b"] and found["only_a"] == []


def expect(tmp_path, **arrays):
    folder = tmp_path / "expected"
    folder.mkdir()
    for name, array in arrays.items():
        numpy.save(folder / f"{name}.npy", numpy.array(array, "float32"))
    return "expected"


def test_expected_values_from_a_folder(overt, affine, tmp_path):
    folder = expect(tmp_path, x=[[1, 2, 3]], y=[[2, 5, 10]])
    out = overt("compare", affine, "--a", "cpu", "--b", folder).out
    assert "1 tensor compared" in out and out.endswith("the same within the tolerance\n")


def test_the_first_and_the_worst_difference_are_named(overt, affine, tmp_path):
    folder = expect(tmp_path, x=[[1, 2, 3]], scaled=[[1, 4.5, 9]], y=[[2, 5, 20]])
    result = overt("compare", affine, "--a", "cpu", "--b", folder, "--passes-a", "off", "--json", code=1)
    found = result.json
    assert found["within_tolerance"] is False
    assert found["first"]["name"] == "scaled" and found["first"]["over"] == 1
    assert (found["first"]["worst_index"], found["first"]["worst_a"], found["first"]["worst_b"]) == ("[0, 1]", "4", "4.5")
    assert found["worst"]["name"] == "y" and found["worst"]["largest"] == 10
    out = overt("compare", affine, "--a", "cpu", "--b", folder, "--passes-a", "off", code=1).out
    assert "first difference over the tolerance: scaled [1, 3]\n" in out and out.endswith("different\n")


def test_the_tolerance_is_the_callers(overt, affine, tmp_path):
    folder = expect(tmp_path, x=[[1, 2, 3]], y=[[2.1, 5, 10]])
    overt("compare", affine, "--a", "cpu", "--b", folder, code=1)
    overt("compare", affine, "--a", "cpu", "--b", folder, "--atol", "0.2", code=0)
    overt("compare", affine, "--a", "cpu", "--b", folder, "--rtol", "0.1", code=0)


def test_another_shape_is_a_difference(overt, affine, tmp_path):
    folder = expect(tmp_path, x=[[1, 2, 3]], y=[2, 5, 10])
    found = overt("compare", affine, "--a", "cpu", "--b", folder, "--json", code=1).json
    assert found["first"]["mismatch"] == "float32 [1, 3] against float32 [3]"


def test_nan_equals_nan_and_nothing_else(overt, affine, tmp_path):
    nan = float("nan")
    folder = expect(tmp_path, x=[[nan, 2, 3]], y=[[nan, 5, 10]])
    overt("compare", affine, "--a", "cpu", "--b", folder)
    numpy.save(tmp_path / folder / "y.npy", numpy.array([[2, 5, 10]], "float32"))
    assert "a has nan and b 2" in overt("compare", affine, "--a", "cpu", "--b", folder, code=1).out


def test_a_folder_without_a_value_of_the_model_is_an_error(overt, affine, tmp_path):
    folder = expect(tmp_path, z=[1])
    error = overt("compare", affine, "--a", "cpu", "--b", folder, code=1).error
    assert "no file there is named after a value of the model" in error and "y.npy" in error


def test_files_that_match_no_value_are_named(overt, affine, tmp_path):
    folder = expect(tmp_path, x=[[1, 2, 3]], y=[[2, 5, 10]], other=[1])
    assert overt("compare", affine, "--a", "cpu", "--b", folder, "--json").json["only_b"] == ["other"]


def test_a_folder_cannot_be_the_first_side(overt, affine, tmp_path):
    folder = expect(tmp_path, y=[1])
    error = overt("compare", affine, "--a", folder, "--b", "cpu", code=2).error
    assert error == "error: --a: expected is a folder; give a provider there and the folder with --b\n"


def test_both_sides_are_needed(overt, affine):
    assert overt("compare", affine, "--a", "cpu", code=2).error.startswith("error: --b is required")


def test_yolox_nano_with_and_without_passes(overt):
    found = overt("compare", shared_file("models/yolox_nano.onnx"), "--a", "cpu", "--b", "cpu", "--passes-b", "off",
                  "--json").json
    assert found["within_tolerance"] and found["compared"] > 20

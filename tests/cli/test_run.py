import numpy
import pytest
from conftest import save, value
from onnx import TensorProto, helper


def test_values_from_a_file_give_the_right_values(overt, affine, tmp_path):
    numpy.save(tmp_path / "x.npy", numpy.array([[1, 2, 3], [0, -1, 0.5]], "float32"))
    found = overt("run", affine, "--input", "x=x.npy", "--json").json
    assert found["outputs"] == [{"name": "y", "type": "float32", "shape": [2, 3], "min": -1.0, "max": 10.0,
                                 "mean": 19.5 / 6, "not_finite": 0, "values": [2.0, 5.0, 10.0, 1.0, -1.0, 2.5]}]
    assert "affine: 2 nodes, " in found["placement"]


def test_text_shows_type_shape_and_values(overt, affine, tmp_path):
    numpy.save(tmp_path / "x.npy", numpy.array([[1, 2, 3]], "float32"))
    out = overt("run", affine, "--input", "x=x.npy", "--values", "2").out
    assert out == "y: float32 [1, 3]\n  min 2, max 10, mean 5.66667\n  values  2 5 ...\n"


def test_the_placement_is_logged_once_and_the_level_can_be_raised(overt, affine):
    err = overt("run", affine).err
    assert err.count("info: affine: 2 nodes, ") == 1
    assert overt("run", affine, "--log-level", "warning").err == ""


def test_open_lengths_are_one_and_said_so(overt, affine):
    result = overt("run", affine, "--json")
    assert result.json["outputs"][0]["shape"] == [1, 3]
    assert "the length 'batch' of input x float32 [batch, 3] is open: 1 is taken; --dim batch=N sets it" in result.err
    assert overt("run", affine, "--dim", "batch=4", "--json").json["outputs"][0]["shape"] == [4, 3]
    assert overt("run", affine, "--dim", "x.0=5", "--json").json["outputs"][0]["shape"] == [5, 3]


def test_random_inputs_follow_the_seed(overt, affine):
    values = [overt("run", affine, "--seed", seed, "--json").json["outputs"][0]["values"] for seed in (1, 1, 2)]
    assert values[0] == values[1] != values[2]


def test_the_length_of_a_file_holds_for_the_other_inputs(overt, tmp_path):
    model = save(tmp_path / "add.onnx", [helper.make_node("Add", ["a", "b"], ["y"])],
                 [value("a", TensorProto.FLOAT, ["n"]), value("b", TensorProto.FLOAT, ["n"])],
                 [value("y", TensorProto.FLOAT, ["n"])])
    numpy.save(tmp_path / "a.npy", numpy.zeros(7, "float32"))
    assert overt("run", model, "--input", "a=a.npy", "--json").json["outputs"][0]["shape"] == [7]


def test_outputs_are_written_under_names_that_files_can_have(overt, tmp_path):
    nodes = [helper.make_node("Neg", ["x"], ["a/b"]), helper.make_node("Abs", ["x"], [".."]),
             helper.make_node("Neg", ["x"], ["é"])]
    model = save(tmp_path / "names.onnx", nodes, [value("x", TensorProto.FLOAT, [2])],
                 [value(name, TensorProto.FLOAT, [2]) for name in ("a/b", "..", "é")])
    numpy.save(tmp_path / "x.npy", numpy.array([1, -2], "float32"))
    found = overt("run", model, "--input", "x=x.npy", "--output-dir", "deep/results", "--json").json
    names = sorted(path.name for path in (tmp_path / "deep" / "results").iterdir())
    assert names == ["%2E..npy", "%C3%A9.npy", "a%2Fb.npy"]
    assert [output["file"] for output in found["outputs"]][0] == "deep/results/a%2Fb.npy"
    assert numpy.load(tmp_path / "deep/results/a%2Fb.npy").tolist() == [-1, 2]


def test_an_unknown_input_names_the_nearest(overt, affine):
    error = overt("run", affine, "--input", "X=a.npy", code=2).error
    assert error == "error: --input: the model has no input 'X'; did you mean 'x'?\n"


@pytest.mark.parametrize("args, expected", [
    (["--input", "x"], "error: --input: 'x' is not of the form NAME=VALUE\n"),
    (["--input", "x=random", "--input", "x=random"], "error: --input: 'x' is given twice; give it once\n"),
    (["--dim", "bacth=2"], "error: --dim: no input has an open length 'bacth'; did you mean 'batch'?\n"),
    (["--dim", "batch=-1"], "error: --dim: '-1' is not a whole number of 0 or more\n"),
    (["--dim", "x.1=4"], "error: --dim: the model fixes 'x.1' at 3; leave it out\n"),
    (["--dim", "batch=2", "--dim", "batch=3"], "error: --dim: 'batch' is 2 and also 3; give one length\n"),
])
def test_wrong_inputs_are_wrong_usage(overt, affine, args, expected):
    assert overt("run", affine, *args, code=2).error == expected


@pytest.mark.parametrize("array, words", [
    (numpy.zeros((1, 3), "float64"), ["float64", "another type", "x float32 [batch, 3]"]),
    (numpy.zeros((1, 4), "float32"), ["[1, 4]", "dim 1 is 4, expected 3"]),
    (numpy.zeros(3, "float32"), ["[3]", "another rank"]),
])
def test_an_array_that_does_not_fit_is_an_error(overt, affine, tmp_path, array, words):
    numpy.save(tmp_path / "x.npy", array)
    error = overt("run", affine, "--input", "x=x.npy", code=1).error
    assert all(word in error for word in words) and "code: invalid_argument" in error


def test_not_finite_values_are_counted(overt, identity, tmp_path):
    numpy.save(tmp_path / "x.npy", numpy.array([1, numpy.nan, -numpy.inf, 3], "float32"))
    path = identity(TensorProto.FLOAT, [4])
    output = overt("run", path, "--input", "x=x.npy", "--json").json["outputs"][0]
    assert (output["not_finite"], output["min"], output["max"], output["mean"]) == (2, 1.0, 3.0, 2.0)
    assert output["values"] == [1.0, None, None, 3.0]
    assert "mean 2, 2 not finite\n  values  1 nan -inf 3\n" in overt("run", path, "--input", "x=x.npy").out


def test_an_input_with_a_default_may_be_left_out(overt, tmp_path):
    default = helper.make_tensor("b", TensorProto.FLOAT, [2], [10, 20])
    model = save(tmp_path / "default.onnx", [helper.make_node("Add", ["a", "b"], ["y"])],
                 [value("a", TensorProto.FLOAT, [2]), value("b", TensorProto.FLOAT, [2])],
                 [value("y", TensorProto.FLOAT, [2])], [default])
    numpy.save(tmp_path / "a.npy", numpy.array([1, 2], "float32"))
    assert overt("run", model, "--input", "a=a.npy", "--json").json["outputs"][0]["values"] == [11, 22]


def test_an_open_rank_needs_a_file(overt, tmp_path):
    model = save(tmp_path / "rank.onnx", [helper.make_node("Neg", ["x"], ["y"])],
                 [value("x", TensorProto.FLOAT, None)], [value("y", TensorProto.FLOAT, None)])
    error = overt("run", model, code=2).error
    assert error == "error: the rank of input 'x' is open; give its values with --input x=FILE.npy\n"

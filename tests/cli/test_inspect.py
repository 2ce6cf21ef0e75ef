import onnx
import pytest
from conftest import save, shared_file, value
from onnx import TensorProto, helper


def test_json_holds_what_the_file_says(overt, affine):
    found = overt("inspect", affine, "--json").json
    assert found["graph"] == "small"
    assert (found["producer"], found["producer_version"]) == ("hand", "1.0")
    assert found["ir_version"] == 8
    assert found["opsets"] == {"ai.onnx": 17}
    assert found["inputs"] == [{"name": "x", "type": "float32", "shape": ["batch", 3]}]
    assert found["outputs"] == [{"name": "y", "type": "float32", "shape": ["batch", 3]}]
    assert found["operators"] == {"Add": 1, "Mul": 1} and found["nodes"] == 2
    assert found["parameters"] == 4
    assert found["file_bytes"] == affine.stat().st_size
    assert found["external_files"] == [] and found["metadata"] == {} and found["warnings"] == []


def test_text_is_for_people(overt, affine):
    out = overt("inspect", affine).out
    assert "inputs      x float32 [batch, 3]\n" in out
    assert "parameters  4\n" in out
    assert "2 nodes of 2 operators\n" in out


def test_a_model_with_an_operator_that_nobody_runs_can_be_inspected(overt, tmp_path):
    model = save(tmp_path / "odd.onnx", [helper.make_node("Juggle", ["x"], ["y"], domain="circus")],
                 [value("x", TensorProto.FLOAT, [2])], [value("y", TensorProto.FLOAT, [2])],
                 opsets={"circus": 3})
    assert overt("inspect", model, "--json").json["operators"] == {"circus.Juggle": 1}
    assert "Juggle" in overt("run", model, code=1).error


def test_names_of_any_bytes_do_not_reach_the_terminal(overt, identity):
    path = identity(TensorProto.FLOAT, [1], name="\x1b[31mred\n")
    assert "\x1b" not in overt("inspect", path).out
    assert overt("inspect", path, "--json").json["inputs"][0]["name"] == "\x1b[31mred\n"


def test_metadata_is_shown(overt, affine):
    model = onnx.load(affine)
    helper.set_model_props(model, {"author": "nobody"})
    onnx.save(model, affine)
    assert overt("inspect", affine, "--json").json["metadata"] == {"author": "nobody"}
    assert "author = nobody" in overt("inspect", affine).out


def test_yolox_nano(overt):
    found = overt("inspect", shared_file("models/yolox_nano.onnx"), "--json").json
    assert found["nodes"] == 369 and found["operators"]["Conv"] == 113
    assert found["parameters"] == 904_467
    assert found["inputs"] == [{"name": "images", "type": "float32", "shape": [1, 3, 416, 416]}]

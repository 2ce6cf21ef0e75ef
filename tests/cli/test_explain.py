import numpy
import pytest
from conftest import save, shared_file, value
from onnx import TensorProto, helper


def test_json_names_every_node_of_the_file(overt, convolution):
    found = overt("explain", convolution, "--json").json
    assert [(node["name"], node["op"], node["provider"]) for node in found["nodes"]] == [
        ("conv", "Conv", "cpu"), ("relu", "Relu", "cpu"), ("mean", "GlobalAveragePool", "cpu")]
    assert all(node["kernel"] for node in found["nodes"])
    assert all(set(refusal) == {"provider", "reason"} for node in found["nodes"] for refusal in node["refusals"])
    assert found["precision"] == "fp32" and found["copies"] == []
    assert found["by_provider"] == {"cpu": 3}
    assert found["memory"]["weights_bytes"] >= 4 * 2 * 3 * 3 * 4
    assert {"activation_bytes", "workspace_bytes"} <= set(found["memory"])
    assert "plan_error" not in found


def test_fused_nodes_say_so_and_passes_off_undoes_it(overt, convolution):
    def fused(*args):
        nodes = overt("explain", convolution, "--json", *args).json["nodes"]
        return {node["name"]: node["fused_into"] for node in nodes}

    assert fused()["relu"] == fused()["conv"] != ""
    assert set(fused("--passes", "off").values()) == {""}


def test_a_pass_can_be_left_out(overt, convolution):
    passes = overt("explain", convolution, "--json").json["passes"]
    fusing = next(entry for entry in passes if entry["changed"] and entry["nodes_after"] < entry["nodes_before"])
    assert fusing["notes"] and fusing["ms"] >= 0
    left = overt("explain", convolution, "--json", "--disable-pass", fusing["pass"]).json
    assert {node["fused_into"] for node in left["nodes"]} == {""}
    name = fusing["pass"]
    error = overt("explain", convolution, "--disable-pass", name[:-1] + "x", code=1).error
    assert name in error and "code: invalid_argument" in error


def test_text_has_the_summary_first_and_each_part(overt, convolution):
    result = overt("explain", convolution)
    assert result.out.startswith("convolution: 3 nodes, 3 cpu, 0 copies, fp32\n")
    assert result.err == ""
    for title in ("\nnodes\n", "\ncopies between devices\n  none\n", "\nmemory\n", "\npasses\n"):
        assert title in result.out


def test_one_node_alone(overt, convolution):
    found = overt("explain", convolution, "--node", "relu", "--json").json
    assert [node["name"] for node in found["nodes"]] == ["relu"]
    error = overt("explain", convolution, "--node", "rleu", code=2).error
    assert error == "error: --node: the model has no node 'rleu'; did you mean 'relu'?\n"


@pytest.mark.parametrize("stage", ["optimized", "placed", "plan"])
def test_stages_can_be_dumped(overt, convolution, stage):
    out = overt("explain", convolution, "--dump", stage).out
    assert "conv" in out.lower()
    found = overt("explain", convolution, "--dump", stage, "--json").json
    assert found["stage"] == stage and found["text"] == out


def test_lengths_decide_the_memory(overt, affine):
    memory = [overt("explain", affine, "--dim", f"batch={n}", "--passes", "off", "--json").json["memory"]
              for n in (1000, 100_000)]
    assert memory[1]["activation_bytes"] > memory[0]["activation_bytes"]


def test_folded_nodes_are_planning_and_say_what_became_of_them(overt, tmp_path):
    ones = helper.make_tensor("ones", TensorProto.FLOAT, [2], [1, 1])
    model = save(tmp_path / "fold.onnx", [helper.make_node("Neg", ["ones"], ["minus"], name="neg"),
                                          helper.make_node("Add", ["x", "minus"], ["y"], name="add")],
                 [value("x", TensorProto.FLOAT, [2])], [value("y", TensorProto.FLOAT, [2])], [ones])
    node = overt("explain", model, "--node", "neg", "--json").json["nodes"][0]
    assert node["provider"] == "planning" and "constant" in node["note"]


def test_shapes_that_do_not_fit_leave_the_placement(overt, tmp_path):
    model = save(tmp_path / "add.onnx", [helper.make_node("Add", ["a", "b"], ["y"], name="add")],
                 [value("a", TensorProto.FLOAT, ["n"]), value("b", TensorProto.FLOAT, ["m"])],
                 [value("y", TensorProto.FLOAT, None)])
    found = overt("explain", model, "--dim", "n=2", "--dim", "m=3", "--json").json
    assert found["nodes"][0]["provider"] == "cpu" and found["plan_error"]


def test_yolox_nano_runs_on_the_cpu_without_copies(overt):
    result = overt("explain", shared_file("models/yolox_nano.onnx"), "--json")
    found = result.json
    assert len(found["nodes"]) == 369 and found["copies"] == []
    assert set(found["by_provider"]) <= {"cpu", "planning"}
    assert found["memory"]["activation_bytes"] > 1_000_000

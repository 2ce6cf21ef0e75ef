import pytest
from conftest import shared_file


def test_json_has_times_memory_and_kernels(overt, convolution):
    found = overt("bench", convolution, "--seconds", "0.05", "--threads", "1", "--json").json
    assert (found["provider"], found["precision"], found["threads"], found["batch"]) == ("cpu", "fp32", 1, 1)
    times = found["ms"]
    assert 0 < times["min"] <= times["p50"] <= times["p90"] <= times["p99"]
    assert found["setup_ms"] > 0 and found["first_run_ms"] > 0 and found["runs"] > 1
    assert found["throughput_per_s"] == pytest.approx(1000 / times["p50"], rel=9)
    assert found["memory"]["weights_bytes"] > 0 and found["memory"]["peak_rss_bytes"] > 1_000_000
    assert found["kernels"] and all(kernel["ms"] >= 0 and kernel["kernel"] for kernel in found["kernels"])


def test_seconds_zero_runs_once(overt, convolution):
    found = overt("bench", convolution, "--seconds", "0", "--json").json
    assert found["runs"] == 1 and found["kernels"] == []
    assert found["ms"]["min"] == found["ms"]["p99"] == found["first_run_ms"]


def test_batch_sets_the_first_length(overt, affine):
    assert overt("bench", affine, "--seconds", "0", "--batch", "8", "--json").json["batch"] == 8


def test_a_fixed_batch_cannot_be_changed(overt, convolution):
    error = overt("bench", convolution, "--batch", "2", code=2).error
    assert error == ("error: --batch: the model fixes the first length of input x float32 [1, 2, 8, 8] at 1; "
                     "leave --batch out\n")


def test_text_is_for_people(overt, convolution):
    out = overt("bench", convolution, "--seconds", "0.05", "--top", "1").out
    assert "provider    cpu, fp32\n" in out and "per second (batch 1)" in out
    assert "slowest kernels of a run of " in out


def test_yolox_nano(overt):
    found = overt("bench", shared_file("models/yolox_nano.onnx"), "--seconds", "0", "--json").json
    assert found["memory"]["activation_bytes"] > 1_000_000

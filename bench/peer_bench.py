#!/usr/bin/env python3
"""Times one model in ONNX Runtime or OpenVINO on the CPU and prints what `overt bench --json` prints.

    bench/peer_bench.py onnxruntime|openvino MODEL [--threads 2] [--seconds 1] [--precision fp32]

Inputs are seeded random numbers in the model's shapes (symbolic lengths become 1). Two warm-up runs are not counted.
With --seconds 0 the model is opened and run once. With --import-only nothing is opened: what the interpreter and the
package cost by themselves.
"""

import argparse
import json
import time

import numpy

NUMPY_TYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(double)": "float64",
               "tensor(int64)": "int64", "tensor(int32)": "int32", "f32": "float32", "f16": "float16",
               "f64": "float64", "i64": "int64", "i32": "int32"}


def random_input(shape, type_name: str):
    dims = [dim if isinstance(dim, int) and dim > 0 else 1 for dim in shape]
    values = numpy.random.default_rng(1).uniform(0, 1, dims)
    return numpy.asarray(values).astype(NUMPY_TYPES[type_name])


def open_onnxruntime(model: str, threads: int, precision: str):
    import onnxruntime
    if precision != "fp32":
        raise SystemExit(f"ONNX Runtime's CPU provider has no {precision} mode")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feeds = {value.name: random_input(value.shape, value.type) for value in session.get_inputs()}
    return lambda: session.run(None, feeds)


def open_openvino(model: str, threads: int, precision: str):
    import openvino
    hint = {"fp32": "f32", "bf16": "bf16"}[precision]
    settings = {"INFERENCE_PRECISION_HINT": hint, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads}
    compiled = openvino.Core().compile_model(model, "CPU", settings)
    request = compiled.create_infer_request()
    feeds = {}
    for port in compiled.inputs:
        shape = [dim.get_length() if dim.is_static else 1 for dim in port.get_partial_shape()]
        feeds[port] = random_input(shape, port.get_element_type().get_type_name())
    request.infer(feeds)
    return lambda: request.infer(share_inputs=True)


def time_runs(run, seconds: float) -> list[float]:
    """Milliseconds of each run, sorted."""
    if seconds <= 0:
        return []
    run()
    times, end = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", choices=("onnxruntime", "openvino"))
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--precision", default="fp32", choices=("fp32", "bf16"))
    parser.add_argument("--import-only", action="store_true")
    args = parser.parse_args()
    __import__(args.runtime)
    if args.import_only:
        return

    start = time.perf_counter()
    openers = {"onnxruntime": open_onnxruntime, "openvino": open_openvino}
    run = openers[args.runtime](args.model, args.threads, args.precision)
    setup_ms = (time.perf_counter() - start) * 1e3
    run()
    first_ms = (time.perf_counter() - start) * 1e3 - setup_ms
    times = time_runs(run, args.seconds) or [first_ms]
    at = lambda share: times[min(int(len(times) * share), len(times) - 1)]
    print(json.dumps({"provider": args.runtime, "precision": args.precision, "threads": args.threads,
                      "setup_ms": setup_ms, "runs": len(times),
                      "ms": {"min": times[0], "p50": at(0.5), "p90": at(0.9), "p99": at(0.99)}}))


if __name__ == "__main__":
    main()

"""Entries of the matrix products, convolutions, pools and normalizations, and of Resize and NonMaxSuppression."""

import numpy

from .draw import FLOATS, Case, Draw, ints, scalar

CHANNELS = (1, 2, 3, 4, 8, 16, 17)


def gemm(draw: Draw) -> Case:
    type_ = draw.pick(FLOATS)
    m, k, n = (draw.pick((1, 2, 3, 5, 8, 16, 17, 33)) for _ in range(3))
    if draw.chance(0.1):
        m = 0
    trans_a, trans_b = draw.integer(0, 1), draw.integer(0, 1)
    opset = draw.pick((7, 9, 11, 13))
    attributes = {"transA": trans_a, "transB": trans_b}
    attributes |= {name: draw.real(-2, 2) for name in ("alpha", "beta") if draw.chance(0.5)}
    c = draw.values(type_, draw.pick(((), (1,), (n,), (1, n), (m, 1), (m, n))), -1, 1)
    a = draw.values(type_, (k, m) if trans_a else (m, k), -1, 1)
    b = draw.values(type_, (n, k) if trans_b else (k, n), -1, 1)
    return Case([a, b] if opset >= 11 and draw.chance(0.3) else [a, b, c], attributes, opset)


def matmul(draw: Draw) -> Case:
    type_ = draw.pick((*FLOATS, "int32", "int64"))
    m, k, n = (draw.pick((1, 2, 3, 5, 8, 17, 33)) for _ in range(3))
    batches = [tuple(shape) for shape in draw.broadcast_shapes(2, high=2)]
    a = (k,) if draw.chance(0.15) else (*batches[0], m, k)
    b = (k,) if draw.chance(0.15) else (*batches[1], k, n)
    return Case([draw.values(type_, a, -1.5, 1.5), draw.values(type_, b, -1.5, 1.5)], opset=draw.pick((9, 13)))


def window(draw: Draw, rank: int, kernel, dilated: bool = True) -> dict:
    """strides, dilations and pads of a convolution or pool; pads stay below the kernel's reach."""
    attributes = {}
    dilations = [draw.pick((1, 1, 2, 3)) if dilated and draw.chance(0.5) else 1 for _ in range(rank)]
    if any(d != 1 for d in dilations):
        attributes["dilations"] = dilations
    if draw.chance(0.6):
        attributes["strides"] = draw.integers(1, 3, rank)
    choice = draw.integer(0, 9)
    if choice < 5:
        attributes["pads"] = [draw.integer(0, min(2, k - 1)) for k in (*kernel, *kernel)]
    elif choice < 8:
        attributes["auto_pad"] = draw.pick(("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"))
    return attributes


def spatial(draw: Draw, rank: int, kernel, attributes: dict) -> list[int]:
    """Sizes that hold at least one window of the kernel even without padding."""
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, attributes.get("dilations", [1] * rank))]
    return [r + draw.integer(0, 9 if rank < 3 else 3) for r in reach]


def conv(draw: Draw) -> Case:
    rank = draw.pick((1, 2, 2, 2, 3))
    kernel = [draw.pick((1, 2, 3, 3, 5)) if rank < 3 else draw.integer(1, 3) for _ in range(rank)]
    attributes = window(draw, rank, kernel)
    group = draw.pick((1, 1, 1, 2, 3, 8, 16))
    per_group = draw.pick((1, 1, 2, 3, 8)) if group > 1 else draw.pick(CHANNELS)
    outputs = group * draw.pick((1, 1, 2, 3)) if group > 1 else draw.pick(CHANNELS)
    if group > 1:
        attributes["group"] = group
    if draw.chance(0.6):
        attributes["kernel_shape"] = kernel
    type_ = draw.pick(("float32", "float32", "float32", "float16"))
    x = draw.values(type_, (draw.pick((1, 2)), group * per_group, *spatial(draw, rank, kernel, attributes)), -1, 1)
    w = draw.values(type_, (outputs, per_group, *kernel), -0.5, 0.5)
    bias = [draw.values(type_, (outputs,), -1, 1)] if draw.chance(0.6) else []
    return Case([x, w, *bias], attributes, draw.pick((1, 11, 22)))


def conv_transpose(draw: Draw) -> Case:
    rank = draw.pick((1, 2, 2, 2, 3))
    kernel = [draw.integer(1, 4 if rank < 3 else 2) for _ in range(rank)]
    attributes = window(draw, rank, kernel)
    group = draw.pick((1, 1, 1, 2, 4))
    if group > 1:
        attributes["group"] = group
    if attributes.get("auto_pad", "NOTSET") == "NOTSET" and draw.chance(0.4):
        steps = attributes.get("strides", [1] * rank)
        attributes["output_padding"] = [draw.integer(0, step - 1) for step in steps]
    channels, outputs = group * draw.integer(1, 4), draw.pick((1, 2, 3, 8))
    x = draw.values("float32", (draw.pick((1, 2)), channels, *draw.integers(2, 6, rank)), -1, 1)
    w = draw.values("float32", (channels, outputs, *kernel), -0.5, 0.5)
    bias = [draw.values("float32", (group * outputs,), -1, 1)] if draw.chance(0.6) else []
    return Case([x, w, *bias], attributes, draw.pick((1, 11, 22)))


def max_pool(draw: Draw) -> Case:
    opset = draw.pick((1, 8, 10, 11, 12, 22))
    rank = draw.pick((1, 2, 2, 3))
    kernel = draw.integers(1, 4 if rank < 3 else 2, rank)
    attributes = {"kernel_shape": kernel} | window(draw, rank, kernel, dilated=opset >= 10)
    if opset >= 10 and draw.chance(0.5):
        attributes["ceil_mode"] = 1
    type_ = draw.pick(("float32", "float32", "float64", "float16") + (("int8", "uint8") if opset >= 12 else ()))
    x = draw.values(type_, (draw.pick((1, 2)), draw.pick(CHANNELS), *spatial(draw, rank, kernel, attributes)), -99, 99)
    outputs = 2 if opset >= 8 and draw.chance(0.4) else 1
    if outputs == 2 and draw.chance(0.5):
        attributes["storage_order"] = draw.integer(0, 1)
    return Case([x], attributes, opset, outputs, exact=True)


def average_pool(draw: Draw) -> Case:
    opset = draw.pick((7, 10, 11, 19, 22))
    rank = draw.pick((1, 2, 2, 3))
    kernel = draw.integers(1, 4 if rank < 3 else 2, rank)
    attributes = {"kernel_shape": kernel} | window(draw, rank, kernel, dilated=opset >= 19)
    if opset >= 10 and draw.chance(0.5):
        attributes["ceil_mode"] = 1
    if draw.chance(0.5):
        attributes["count_include_pad"] = draw.integer(0, 1)
    shape = (draw.pick((1, 2)), draw.pick(CHANNELS), *spatial(draw, rank, kernel, attributes))
    return Case([draw.values(draw.pick(("float32", "float32", "float16")), shape)], attributes, opset)


def global_pool(draw: Draw) -> Case:
    shape = (draw.pick((1, 2)), draw.pick(CHANNELS), *draw.integers(1, 7, draw.integer(1, 3)))
    return Case([draw.values(draw.pick(("float32", "float32", "float16")), shape)], opset=draw.pick((1, 22)))


def batch_normalization(draw: Draw) -> Case:
    opset = draw.pick((7, 9, 14, 15))
    type_ = draw.pick(("float32", "float32", "float64", "float16"))
    channels = draw.pick(CHANNELS)
    x = draw.values(type_, (draw.pick((1, 2, 3)), channels, *draw.integers(1, 5, draw.integer(0, 3))))
    parameters = [draw.values(type_, (channels,), 0.3, 2) for _ in range(4)]
    attributes = {"epsilon": draw.pick((1e-5, 1e-3, 0.125))} if draw.chance(0.6) else {}
    if opset >= 14 and type_ == "float32" and draw.chance(0.3):
        attributes |= {"training_mode": 1, "momentum": draw.real(0.5, 0.9)}
        return Case([x, *parameters], attributes, opset, outputs=3)
    return Case([x, *parameters], attributes, opset)


def instance_normalization(draw: Draw) -> Case:
    type_ = draw.pick(("float32", "float32", "float16"))
    channels = draw.pick(CHANNELS)
    x = draw.values(type_, (draw.pick((1, 2)), channels, *draw.integers(2, 7, draw.integer(1, 3))))
    attributes = {"epsilon": draw.pick((1e-5, 1e-3, 0.125))} if draw.chance(0.6) else {}
    return Case([x, draw.values(type_, (channels,)), draw.values(type_, (channels,))], attributes, draw.pick((6, 22)))


def layer_normalization(draw: Draw) -> Case:
    type_ = draw.pick(("float32", "float32", "float64", "float16"))
    shape = draw.shape(1, empty=0)
    axis = draw.axis(len(shape))
    bias = [draw.values(type_, shape[axis:])] if draw.chance(0.6) else []
    attributes = {"axis": axis} | ({"epsilon": draw.pick((1e-5, 1e-3, 0.125))} if draw.chance(0.6) else {})
    # A row of one element is 0 before the scale, and its deviation is that of epsilon: well defined, so drawn too.
    outputs = draw.pick((1, 1, 3)) if type_ == "float32" else 1
    return Case([draw.values(type_, shape), draw.values(type_, shape[axis:]), *bias], attributes, 17, outputs)


EQUATIONS = ("ij,jk->ik", "ij,jk", "bij,bjk->bik", "ij->ji", "ij->", "ii->i", "ii", "i,i->", "i,j->ij", "bhid,bhjd->bhij",
             "bhij,bhjd->bhid", "...ij,...jk->...ik", "ij,ij->i", "abc,cd->abd", "ijk,jil->kl", "a,a,a->a", "...i->...",
             "bij,bj->bi", " ij , jk -> ki ")


def einsum(draw: Draw) -> Case:
    equation = draw.pick(EQUATIONS)
    sizes = {letter: draw.pick((1, 2, 3, 5, 8)) for letter in "abcdhijkl"}
    ellipsis = draw.shape(0, 2, empty=0, limit=12)
    shapes = []
    for term in equation.replace(" ", "").split("->")[0].split(","):
        shape = ellipsis if term.startswith("...") else ()
        shapes.append((*shape, *(sizes[letter] for letter in term.removeprefix("..."))))
    type_ = draw.pick(("float32", "float32", "float64", "int32", "int64"))
    return Case([draw.values(type_, shape, -2, 2) for shape in shapes], {"equation": equation}, 12)


def resize(draw: Draw) -> Case:
    opset = draw.pick((11, 13, 18, 19))
    mode = draw.pick(("nearest", "nearest", "linear", "linear", "cubic"))
    coordinates = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]
    coordinates += ["half_pixel_symmetric"] if opset >= 19 else []
    attributes = {"mode": mode, "coordinate_transformation_mode": draw.pick(coordinates)}
    if mode == "nearest" and draw.chance(0.7):
        attributes["nearest_mode"] = draw.pick(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if mode == "cubic":
        attributes |= {"cubic_coeff_a": draw.pick((-0.75, -0.5)), "exclude_outside": draw.integer(0, 1)}
    if opset >= 18 and mode != "nearest" and draw.chance(0.25):
        attributes["antialias"] = 1
    type_ = draw.pick(("float32", "float32", "float32", "uint8") if mode == "nearest" else ("float32",))
    shape = (draw.pick((1, 2)), draw.pick((1, 3, 8)), *draw.integers(2, 8, 2))
    x = draw.values(type_, shape, -4, 100 if type_ == "uint8" else 4)
    factors = [draw.pick((0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 2.5)) for _ in range(2)]
    axes = opset >= 18 and draw.chance(0.3)
    if axes:
        attributes["axes"] = draw.pick(([2, 3], [-2, -1]))
    roi = numpy.array([], numpy.float32) if opset < 13 else None
    if draw.chance(0.5):
        return Case([x, roi, numpy.array(factors if axes else [1, 1, *factors], numpy.float32)], attributes, opset)
    sizes = [max(1, int(dim * factor)) for dim, factor in zip(shape[2:], factors)]
    if axes and draw.chance(0.4):
        attributes["keep_aspect_ratio_policy"] = draw.pick(("stretch", "not_larger", "not_smaller"))
    scales = numpy.array([], numpy.float32) if opset < 13 else None
    return Case([x, roi, scales, ints(sizes if axes else [*shape[:2], *sizes])], attributes, opset)


def non_max_suppression(draw: Draw) -> Case:
    batch, classes, count = draw.integer(1, 2), draw.integer(1, 3), draw.pick((1, 5, 12, 30))
    centered = draw.integer(0, 1)
    boxes = draw.values("float32", (batch, count, 4), 0, 8)
    if centered:
        boxes[..., 2:] = boxes[..., 2:] / 2 + 1
    scores = draw.values("float32", (batch, classes, count), 0, 1)
    limits = [ints(draw.integer(0, 8)), scalar("float32", draw.real(0, 0.9)).reshape(1),
              scalar("float32", draw.real(0, 0.6)).reshape(1)]
    return Case([boxes, scores, *limits[: draw.integer(1, 3)]], {"center_point_box": centered}, draw.pick((10, 11)))


OPERATORS = {
    "Gemm": gemm,
    "MatMul": matmul,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "MaxPool": max_pool,
    "AveragePool": average_pool,
    "GlobalAveragePool": global_pool,
    "GlobalMaxPool": global_pool,
    "BatchNormalization": batch_normalization,
    "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization,
    "Einsum": einsum,
    "Resize": resize,
    "NonMaxSuppression": non_max_suppression,
}

"""Entries of the operators that move, select or make elements, and of If."""

import numpy
from onnx import helper, numpy_helper

from .draw import ANY, FLOATS, Case, Draw, ints, scalar


def cast(draw: Draw) -> Case:
    source, target = draw.pick(ANY), draw.pick(ANY)
    # From 0 where a sign is lost: what an unsigned type makes of a negative number is not defined.
    x = draw.values(source, draw.shape(), 0 if target == "uint8" else -100, 100)
    return Case([x], {"to": helper.np_dtype_to_tensor_dtype(numpy.dtype(target))}, draw.pick((9, 13, 19)))


def constant(draw: Draw) -> Case:
    if draw.chance(0.6):
        value = numpy_helper.from_array(draw.values(draw.pick(ANY), draw.shape()), "value")
        return Case([], {"value": value}, draw.pick((9, 11, 13)), exact=True)
    name = draw.pick(("value_float", "value_int", "value_floats", "value_ints"))
    number = draw.real if "float" in name else draw.integer
    count = draw.integer(1, 5)
    value = [number(-9, 9) for _ in range(count)] if name.endswith("s") else number(-9, 9)
    return Case([], {name: value}, draw.pick((12, 13)), exact=True)


def constant_of_shape(draw: Draw) -> Case:
    attributes = {}
    if draw.chance(0.8):
        attributes["value"] = numpy_helper.from_array(draw.values(draw.pick(ANY), (1,)), "value")
    return Case([ints(draw.shape(0, 4))], attributes, 9, exact=True)


def identity(draw: Draw) -> Case:
    return Case([draw.values(draw.pick(ANY), draw.shape())], opset=draw.pick((1, 13, 16)), exact=True)


def dropout(draw: Draw) -> Case:
    opset = draw.pick((7, 10, 12, 13))
    x = draw.values(draw.pick(FLOATS), draw.shape())
    outputs = draw.integer(1, 2) if opset >= 10 else 1
    if opset < 12:
        return Case([x], {"ratio": draw.real(0.1, 0.8)}, opset, outputs, exact=True)
    ratio = scalar("float32", draw.real(0.1, 0.8)) if draw.chance(0.6) else None
    mode = [scalar("bool", False)] if draw.chance(0.5) else []
    return Case([x, ratio, *mode], {"seed": 1} if draw.chance(0.3) else {}, opset, outputs, exact=True)


def shape_of(draw: Draw) -> Case:
    opset = draw.pick((1, 13, 15, 15))
    attributes = {name: draw.integer(-6, 6) for name in ("start", "end") if opset == 15 and draw.chance(0.6)}
    return Case([draw.values(draw.pick(ANY), draw.shape())], attributes, opset)


def size_of(draw: Draw) -> Case:
    return Case([draw.values(draw.pick(ANY), draw.shape())], opset=draw.pick((1, 13)))


def reshape(draw: Draw) -> Case:
    opset = draw.pick((5, 13, 14))
    x = draw.values(draw.pick(ANY), draw.shape(0, 4))
    if x.size == 0:
        if opset == 14 and draw.chance(0.7):
            return Case([x, ints(draw.pick(([0, 3], [4, 0, 1], [0])))], {"allowzero": 1}, opset, exact=True)
        return Case([x, ints(x.shape)], opset=opset, exact=True)
    target, rest = [], x.size
    while rest > 1 or (draw.chance(0.4) and len(target) < 4):
        factor = draw.pick([d for d in range(1, rest + 1) if rest % d == 0])
        target.append(factor if len(target) < 4 else rest)
        rest //= target[-1]
    if target and draw.chance(0.4):
        target[draw.integer(0, len(target) - 1)] = -1
    for axis in range(min(x.ndim, len(target))):
        if target[axis] == x.shape[axis] and draw.chance(0.5):
            target[axis] = 0
    return Case([x, ints(target)], opset=opset, exact=True)


def flatten(draw: Draw) -> Case:
    opset = draw.pick((1, 9, 11, 13))
    x = draw.values("float32" if opset == 1 else draw.pick(ANY), draw.shape(1 if opset == 1 else 0))
    axis = draw.integer(0 if opset < 11 else -x.ndim, x.ndim)
    return Case([x], {"axis": axis} if x.ndim == 0 or draw.chance(0.8) else {}, opset, exact=True)


def transpose(draw: Draw) -> Case:
    x = draw.values(draw.pick(ANY), draw.shape(0, 5))
    attributes = {"perm": [int(axis) for axis in draw.random.permutation(x.ndim)]}
    attributes = attributes if x.ndim > 0 and draw.chance(0.8) else {}
    return Case([x], attributes, draw.pick((1, 13)), exact=True)


def squeeze(draw: Draw) -> Case:
    opset = draw.pick((1, 11, 13))
    shape = [1 if draw.chance(0.5) else dim for dim in draw.shape(1)]
    axes = [a - (len(shape) if opset >= 11 and draw.chance(0.4) else 0) for a, d in enumerate(shape) if d == 1]
    x = draw.values(draw.pick(ANY), shape)
    if not axes or draw.chance(0.3):
        return Case([x], opset=opset, exact=True)
    axes = axes[: draw.integer(1, len(axes))]
    return Case([x, ints(axes)], opset=13, exact=True) if opset == 13 else Case([x], {"axes": axes}, opset, exact=True)


def unsqueeze(draw: Draw) -> Case:
    opset = draw.pick((1, 11, 13))
    x = draw.values(draw.pick(ANY), draw.shape(0, 3))
    count = draw.integer(1, 3)
    rank = x.ndim + count
    axes = [int(axis) for axis in draw.random.permutation(rank)[:count]]
    axes = sorted(axes) if opset == 1 else [axis - (rank if draw.chance(0.4) else 0) for axis in axes]
    return Case([x, ints(axes)], opset=13, exact=True) if opset == 13 else Case([x], {"axes": axes}, opset, exact=True)


def concat(draw: Draw) -> Case:
    opset, type_ = draw.pick((4, 11, 13)), draw.pick(ANY)
    shape = list(draw.shape(1))
    axis = draw.axis(len(shape)) if opset >= 11 else draw.integer(0, len(shape) - 1)
    inputs = []
    for _ in range(draw.integer(1, 5)):
        shape[axis] = draw.pick((0, 1, 2, 3, 8))
        inputs.append(draw.values(type_, shape))
    return Case(inputs, {"axis": axis}, opset, exact=True)


def split(draw: Draw) -> Case:
    opset, parts = draw.pick((2, 11, 13, 18)), draw.integer(1, 4)
    shape = list(draw.shape(1, 4, limit=300))
    axis = draw.axis(len(shape)) if opset >= 11 else draw.integer(0, len(shape) - 1)
    attributes = {"axis": axis}
    if draw.chance(0.4):
        shape[axis] = parts * draw.integer(1, 4) + (draw.integer(0, 1) if opset == 18 and parts > 1 else 0)
        x = draw.values(draw.pick(ANY), shape)
        return Case([x], attributes | ({"num_outputs": parts} if opset == 18 else {}), opset, parts, exact=True)
    sizes = draw.integers(0 if draw.chance(0.2) else 1, 4, parts)
    shape[axis] = sum(sizes)
    x = draw.values(draw.pick(ANY), shape)
    if opset < 13:
        return Case([x], attributes | {"split": sizes}, opset, parts, exact=True)
    return Case([x, ints(sizes)], attributes, opset, parts, exact=True)


def slice_(draw: Draw) -> Case:
    opset = draw.pick((1, 10, 11, 13))
    x = draw.values(draw.pick(ANY), draw.shape(1))
    axes = sorted(draw.axes(x.ndim)) if opset >= 10 else sorted(axis % x.ndim for axis in draw.axes(x.ndim))
    edge = 2**31 - 1
    starts = [draw.integer(-x.shape[a] - 2, x.shape[a] + 1) for a in axes]
    ends = [draw.pick((edge, x.shape[a], draw.integer(-x.shape[a] - 2, x.shape[a] + 1))) for a in axes]
    if opset == 1:
        return Case([x], {"axes": axes, "starts": starts, "ends": ends}, 1, exact=True)
    index = draw.pick(("int32", "int64"))
    steps = [draw.pick((1, 1, 2, 3, -1, -2)) for _ in axes]
    ends = [draw.pick((-edge, end)) if step < 0 else end for end, step in zip(ends, steps)]
    inputs = [starts, ends, axes, steps]
    inputs = inputs if draw.chance(0.8) else inputs[:3]
    return Case([x, *(numpy.array(values, index) for values in inputs)], opset=opset, exact=True)


def indices(draw: Draw, limit: int, shape, negative: bool) -> numpy.ndarray:
    return draw.values(draw.pick(("int32", "int64")), shape, -limit if negative else 0, limit - 1)


def gather(draw: Draw) -> Case:
    opset = draw.pick((1, 11, 13))
    x = draw.values(draw.pick(ANY), draw.shape(1, 4, empty=0))
    axis = draw.axis(x.ndim)
    return Case([x, indices(draw, x.shape[axis], draw.shape(0, 3, limit=20), opset >= 11)],
                {"axis": axis} if axis != 0 or draw.chance(0.5) else {}, opset, exact=True)


def gather_elements(draw: Draw) -> Case:
    x = draw.values(draw.pick(ANY), draw.shape(1, 4, empty=0))
    axis = draw.axis(x.ndim)
    shape = [draw.integer(1, dim) for dim in x.shape]
    shape[axis] = draw.integer(0 if draw.chance(0.1) else 1, 9)
    return Case([x, indices(draw, x.shape[axis], shape, True)], {"axis": axis}, draw.pick((11, 13)), exact=True)


def gather_nd(draw: Draw) -> Case:
    opset = draw.pick((11, 12, 13))
    x = draw.values(draw.pick(ANY), draw.shape(1, 4, empty=0))
    batch = draw.integer(0, min(2, x.ndim - 1)) if opset >= 12 else 0
    depth = draw.integer(1, x.ndim - batch)
    middle = draw.shape(1 if batch == 0 else 0, 2, limit=20)
    columns = [draw.values("int64", (*x.shape[:batch], *middle), -x.shape[batch + d], x.shape[batch + d] - 1)
               for d in range(depth)]
    return Case([x, numpy.stack(columns, -1)], {"batch_dims": batch} if batch else {}, opset, exact=True)


def reduction(draw: Draw, opset: int) -> dict:
    choices = ("none",) if opset < 16 else ("none", "add", "mul", "min", "max") if opset >= 18 else ("none", "add", "mul")
    return {"reduction": draw.pick(choices)} if opset >= 16 else {}


def scatter_nd(draw: Draw) -> Case:
    """Indices repeat only where the updates are reduced: else the result would hang on their order."""
    opset = draw.pick((11, 13, 16, 18))
    attributes = reduction(draw, opset)
    type_ = draw.pick(("float32", "float64", "int32", "int64"))
    x = draw.values(type_, draw.shape(1, 4, empty=0))
    depth = draw.integer(1, x.ndim)
    total = int(numpy.prod(x.shape[:depth]))
    count = draw.integer(1, min(6, total))
    places = draw.random.permutation(total)[:count]
    if attributes.get("reduction", "none") != "none":
        places = numpy.append(places, places[:1])
    where = numpy.stack(numpy.unravel_index(places, x.shape[:depth]), -1).astype("int64")
    updates = draw.values(type_, (len(places), *x.shape[depth:]))
    return Case([x, where, updates], attributes, opset)


def scatter_elements(draw: Draw) -> Case:
    """Along the axis, no index repeats unless the updates are reduced."""
    opset = draw.pick((11, 13, 16, 18))
    attributes = reduction(draw, opset)
    type_ = draw.pick(("float32", "float64", "int32", "int64"))
    x = draw.values(type_, draw.shape(1, 4, empty=0))
    axis = draw.axis(x.ndim)
    shape = [draw.integer(1, dim) for dim in x.shape]
    if attributes.get("reduction", "none") == "none":
        order = numpy.argsort(draw.random.random([*shape[:axis % x.ndim], x.shape[axis], *shape[axis % x.ndim + 1:]]),
                              axis)
        where = numpy.take(order, range(shape[axis]), axis)
        where = where - x.shape[axis] * (draw.random.random(where.shape) < 0.3)
    else:
        where = draw.values("int64", shape, -x.shape[axis], x.shape[axis] - 1)
    return Case([x, where.astype(draw.pick(("int32", "int64"))), draw.values(type_, shape)],
                attributes | {"axis": axis}, opset)


def expand(draw: Draw) -> Case:
    x_shape, target = draw.broadcast_shapes(2)
    return Case([draw.values(draw.pick(ANY), x_shape), ints(target)], opset=draw.pick((8, 13)), exact=True)


def tile(draw: Draw) -> Case:
    x = draw.values(draw.pick(("float32", "float64", "int32", "int64", "uint8", "bool", "int8")),
                    draw.shape(1, 4, limit=300))
    return Case([x, ints(draw.integers(0 if draw.chance(0.1) else 1, 3, x.ndim))], opset=draw.pick((6, 13)), exact=True)


def range_(draw: Draw) -> Case:
    type_ = draw.pick(("float32", "float64", "int16", "int32", "int64"))
    start, limit = draw.integer(-9, 9), draw.integer(-9, 9)
    step = draw.pick((1, 2, 3, -1, -2) + ((0.25, -0.75) if type_.startswith("f") else ()))
    return Case([scalar(type_, start), scalar(type_, limit), scalar(type_, step)], opset=11)


def non_zero(draw: Draw) -> Case:
    return Case([draw.steps(draw.pick(("float32", "int32", "int64", "bool", "uint8")), draw.shape(0, 4), -1, 1)],
                opset=draw.pick((9, 13)))


def trilu(draw: Draw) -> Case:
    x = draw.values(draw.pick(("float32", "float64", "int32", "int64", "bool", "uint8")), draw.shape(2, 4))
    k = [scalar("int64", draw.integer(-8, 8))] if draw.chance(0.7) else []
    return Case([x, *k], {"upper": draw.integer(0, 1)} if draw.chance(0.7) else {}, 14, exact=True)


def depth_to_space(draw: Draw) -> Case:
    opset, block = draw.pick((1, 11, 13)), draw.integer(1, 3)
    x = draw.values(draw.pick(("float32", "float32", "float64", "uint8")),
                    (draw.integer(1, 2), block * block * draw.integer(1, 4), draw.integer(1, 5), draw.integer(1, 5)))
    attributes = {"mode": draw.pick(("DCR", "CRD"))} if opset >= 11 and draw.chance(0.7) else {}
    return Case([x], {"blocksize": block} | attributes, opset, exact=True)


def one_hot(draw: Draw) -> Case:
    where, depth, type_ = draw.pick((("int64", "int64", "float32"), ("int32", "int32", "float32"),
                                     ("int64", "int32", "float32"), ("int64", "int64", "int64"),
                                     ("int32", "float32", "float32"), ("float32", "float32", "float32")))
    shape, count = draw.shape(1, 3, limit=60), draw.integer(1, 9)
    # From -count - 2: an index out of range makes a row of off values.
    x = draw.steps(where, shape, -count - 2, count + 1)
    size = scalar(depth, count)
    return Case([x, size if draw.chance(0.5) else size.reshape(1), draw.values(type_, (2,))],
                {"axis": draw.axis(len(shape) + 1)} if draw.chance(0.7) else {}, draw.pick((9, 11)), exact=True)


def pad(draw: Draw) -> Case:
    opset = draw.pick((2, 11, 13, 18, 19))
    type_ = draw.pick(("float32", "float32", "float64", "int32", "int64", "uint8", "int8", "bool"))
    type_ = draw.pick(("float32", "float64")) if opset == 2 else type_
    mode = draw.pick(("constant", "constant", "reflect", "edge") + (("wrap",) if opset >= 19 else ()))
    x = draw.values(type_, draw.shape(1, 4, empty=0.05 if mode == "constant" else 0))
    axes = draw.axes(x.ndim) if opset >= 18 and draw.chance(0.5) else None
    covered = list(range(x.ndim)) if axes is None else axes
    pads = []
    for axis in covered * 2:
        most = {"constant": 4, "edge": 4}.get(mode, max(0, x.shape[axis] - 1))
        pads.append(draw.integer(0, min(4, most)))
    if draw.chance(0.2) and mode == "constant":
        pads[0] = -draw.integer(0, max(0, x.shape[covered[0]] - 1))
    attributes = {"mode": mode}
    if opset == 2:
        return Case([x], attributes | {"pads": pads, "value": draw.real(-3, 3)}, 2, exact=True)
    value = draw.values(type_, ()) if mode == "constant" and draw.chance(0.6) else None
    return Case([x, ints(pads), value, *([ints(axes)] if axes is not None else [])], attributes, opset, exact=True)


def eye_like(draw: Draw) -> Case:
    x = draw.values(draw.pick(("float32", "float64", "int32", "int64")), draw.shape(2, 2))
    attributes = {"k": draw.integer(-6, 6)} if draw.chance(0.7) else {}
    if draw.chance(0.6):
        attributes["dtype"] = helper.np_dtype_to_tensor_dtype(numpy.dtype(draw.pick(("float32", "float64", "int64"))))
    return Case([x], attributes, 9, exact=True)


def branch(draw: Draw, name: str, type_: str) -> object:
    """A graph of one constant, at times doubled: of a shape of its own."""
    value = draw.values(type_, draw.shape(0, 3))
    nodes = [helper.make_node("Constant", [], [f"{name}_value"], value=numpy_helper.from_array(value))]
    second = f"{name}_value" if draw.chance(0.5) else ""
    if second:
        nodes.append(helper.make_node("Add", [f"{name}_value", second], [f"{name}_out"]))
    else:
        nodes.append(helper.make_node("Identity", [f"{name}_value"], [f"{name}_out"]))
    element = helper.np_dtype_to_tensor_dtype(numpy.dtype(type_))
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(f"{name}_out", element, value.shape)])


def if_(draw: Draw) -> Case:
    type_ = draw.pick(("float32", "float64", "int32", "int64"))
    condition = scalar("bool", draw.chance(0.5))
    attributes = {"then_branch": branch(draw, "then", type_), "else_branch": branch(draw, "else", type_)}
    return Case([condition if draw.chance(0.5) else condition.reshape(1)], attributes, draw.pick((11, 13, 16)))


OPERATORS = {
    "Cast": cast,
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "Identity": identity,
    "Dropout": dropout,
    "Shape": shape_of,
    "Size": size_of,
    "Reshape": reshape,
    "Flatten": flatten,
    "Transpose": transpose,
    "Squeeze": squeeze,
    "Unsqueeze": unsqueeze,
    "Concat": concat,
    "Split": split,
    "Slice": slice_,
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "ScatterND": scatter_nd,
    "ScatterElements": scatter_elements,
    "Expand": expand,
    "Tile": tile,
    "Range": range_,
    "NonZero": non_zero,
    "Trilu": trilu,
    "DepthToSpace": depth_to_space,
    "OneHot": one_hot,
    "Pad": pad,
    "EyeLike": eye_like,
    "If": if_,
}

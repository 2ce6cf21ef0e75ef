"""Random float32 graphs of several nodes: what passes fuse, layouts cross and memory plans share."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from .draw import Draw, ints

CHANNELS = (1, 3, 8, 16, 17, 32)
OPSET = 18
IR_VERSION = 10


class GraphDraw:
    """A graph as it grows. images: names of [N, C, H, W] values so far, with their shapes."""

    def __init__(self, draw: Draw):
        self.draw = draw
        self.nodes, self.initializers = [], []
        self.shape = (draw.pick((1, 2)), draw.pick(CHANNELS), *draw.integers(3, 14, 2))
        self.images = {"x": self.shape}

    def constant(self, array) -> str:
        name = f"w{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def weights(self, shape, scale: float) -> str:
        return self.constant(self.draw.values("float32", shape, -scale, scale))

    def node(self, operator: str, inputs, **attributes) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def image(self, name: str, shape) -> None:
        self.images[name] = tuple(shape)

    def pick_image(self) -> tuple[str, tuple[int, ...]]:
        """Mostly the newest, so that chains form; at times an older one, so that values are shared."""
        names = list(self.images)
        name = names[-1] if self.draw.chance(0.7) else self.draw.pick(names)
        return name, self.images[name]

    def others_like(self, name: str, axis: int | None) -> list[str]:
        """Images of the same shape, or of the same shape but for one axis."""
        def key(shape):
            return tuple(dim for a, dim in enumerate(shape) if a != axis)
        return [other for other, shape in self.images.items() if key(shape) == key(self.images[name])]


def add_conv(g: GraphDraw) -> None:
    x, (n, c, h, w) = g.pick_image()
    kernel, stride = g.draw.pick((1, 3, 3)), g.draw.pick((1, 1, 1, 2))
    depthwise = g.draw.chance(0.25)
    outputs = c if depthwise else g.draw.pick(CHANNELS)
    fan = kernel * kernel * (1 if depthwise else c)
    inputs = [x, g.weights((outputs, 1 if depthwise else c, kernel, kernel), (3 / fan) ** 0.5)]
    if g.draw.chance(0.6):
        inputs.append(g.weights((outputs,), 0.5))
    y = g.node("Conv", inputs, group=c if depthwise else 1, kernel_shape=[kernel] * 2, strides=[stride] * 2,
               pads=[kernel // 2] * 4)
    g.image(y, (n, outputs, (h - 1) // stride + 1, (w - 1) // stride + 1))


def add_batch_normalization(g: GraphDraw) -> None:
    x, shape = g.pick_image()
    parameters = [g.constant(g.draw.values("float32", (shape[1],), 0.4, 1.5)) for _ in range(4)]
    g.image(g.node("BatchNormalization", [x, *parameters]), shape)


def add_activation(g: GraphDraw) -> None:
    x, shape = g.pick_image()
    kind = g.draw.pick(("Relu", "Sigmoid", "SiLU", "HardSwish", "LeakyRelu", "Clip", "Tanh", "HardSigmoid", "Gelu"))
    if kind == "SiLU":
        y = g.node("Mul", [x, g.node("Sigmoid", [x])])
    elif kind == "Clip":
        y = g.node("Clip", [x, g.constant(numpy.float32(0)), g.constant(numpy.float32(6))])
    elif kind == "Gelu":
        half = g.node("Div", [x, g.constant(numpy.float32(2**0.5))])
        grown = g.node("Add", [g.node("Erf", [half]), g.constant(numpy.float32(1))])
        y = g.node("Mul", [g.node("Mul", [x, grown]), g.constant(numpy.float32(0.5))])
    else:
        y = g.node(kind, [x])
    g.image(y, shape)


def add_binary(g: GraphDraw) -> None:
    x, shape = g.pick_image()
    operator = g.draw.pick(("Add", "Add", "Mul", "Sub"))
    if g.draw.chance(0.6):
        other = g.draw.pick(g.others_like(x, None))
    else:
        other = g.weights(g.draw.pick(((), (1,), (1, shape[1], 1, 1), (shape[1], 1, 1), (1, 1, 1, shape[3]))), 1.5)
    g.image(g.node(operator, [x, other] if g.draw.chance(0.7) else [other, x]), shape)


def add_concat(g: GraphDraw) -> None:
    x, (n, c, h, w) = g.pick_image()
    axis = g.draw.pick((1, 1, 1, 2))
    others = g.others_like(x, axis)
    parts = [x] + [g.draw.pick(others) for _ in range(g.draw.integer(1, 2))]
    total = sum(g.images[part][axis] for part in parts)
    if total <= 80:
        g.image(g.node("Concat", parts, axis=axis), (n, total, h, w) if axis == 1 else (n, c, total, w))


def add_split(g: GraphDraw) -> None:
    """The channels in two, one half through an activation, and together again."""
    x, (n, c, h, w) = g.pick_image()
    if c < 2:
        return
    first = g.draw.integer(1, c - 1)
    if g.draw.chance(0.5):
        names = [f"s{len(g.nodes)}_0", f"s{len(g.nodes)}_1"]
        g.nodes.append(helper.make_node("Split", [x, g.constant(ints([first, c - first]))], names, axis=1))
    else:
        bounds = ((0, first), (first, 2**31 - 1))
        names = [g.node("Slice", [x, *(g.constant(ints(v)) for v in (*bound, 1))]) for bound in bounds]
    active = g.node("Relu", [names[0]])
    g.image(active, (n, first, h, w))
    g.image(g.node("Concat", [names[1], active], axis=1), (n, c, h, w))


def add_pool(g: GraphDraw) -> None:
    x, (n, c, h, w) = g.pick_image()
    operator = g.draw.pick(("MaxPool", "MaxPool", "AveragePool"))
    if g.draw.chance(0.5) and min(h, w) >= 2:
        y = g.node(operator, [x], kernel_shape=[2, 2], strides=[2, 2])
        g.image(y, (n, c, h // 2, w // 2))
    else:
        g.image(g.node(operator, [x], kernel_shape=[3, 3], strides=[1, 1], pads=[1] * 4), (n, c, h, w))


def add_squeeze_excite(g: GraphDraw) -> None:
    x, (n, c, h, w) = g.pick_image()
    mean = g.node("GlobalAveragePool", [x]) if g.draw.chance(0.6) else g.node("ReduceMean", [x, g.constant(ints([2, 3]))])
    gate = g.node("Sigmoid", [g.node("Conv", [mean, g.weights((c, c, 1, 1), (3 / c) ** 0.5)])])
    g.image(g.node("Mul", [x, gate]), (n, c, h, w))


def add_resize(g: GraphDraw) -> None:
    x, (n, c, h, w) = g.pick_image()
    if h * w > 200:
        return
    mode = g.draw.pick(("nearest", "linear"))
    coordinates = g.draw.pick(("half_pixel", "align_corners", "asymmetric"))
    nearest = {"nearest_mode": "floor"} if mode == "nearest" else {}
    scales = g.constant(numpy.array([1, 1, 2, 2], numpy.float32))
    y = g.node("Resize", [x, "", scales], mode=mode, coordinate_transformation_mode=coordinates, **nearest)
    g.image(y, (n, c, 2 * h, 2 * w))


def add_tokens(g: GraphDraw) -> None:
    """To [N, H * W, C], a transformer's steps, and back to an image."""
    x, (n, c, h, w) = g.pick_image()
    tokens = g.node("Transpose", [g.node("Reshape", [x, g.constant(ints([n, c, -1]))])], perm=[0, 2, 1])
    step = g.draw.pick(("norm", "product", "attention"))
    if step in ("norm", "attention"):
        tokens = g.node("LayerNormalization", [tokens, g.weights((c,), 1), g.weights((c,), 0.5)], epsilon=1e-3)
    if step in ("product", "attention"):
        product = g.node("MatMul", [tokens, g.weights((c, c), (3 / c) ** 0.5)])
        tokens = g.node("Add", [product, g.weights((c,), 0.5)])
    if step == "attention":
        scores = g.node("MatMul", [tokens, g.node("Transpose", [tokens], perm=[0, 2, 1])])
        scaled = g.node("Mul", [scores, g.constant(numpy.float32(c**-0.5))])
        tokens = g.node("MatMul", [g.node("Softmax", [scaled], axis=-1), tokens])
    back = g.node("Transpose", [tokens], perm=[0, 2, 1])
    g.image(g.node("Reshape", [back, g.constant(ints([n, c, h, w]))]), (n, c, h, w))


STEPS = (add_conv, add_conv, add_conv, add_conv, add_batch_normalization, add_activation, add_activation, add_activation,
         add_binary, add_binary, add_binary, add_concat, add_concat, add_split, add_pool, add_squeeze_excite, add_resize,
         add_tokens)


def draw_graph(draw: Draw) -> tuple[onnx.ModelProto, list[numpy.ndarray]]:
    """A model of 5 to about 15 nodes, and its input. Outputs: the newest image, and at times older ones beside it."""
    g = GraphDraw(draw)
    count = draw.integer(5, 13)
    while len(g.nodes) < count:
        draw.pick(STEPS)(g)
    names = [name for name in g.images if name != "x"]
    chosen = {names[-1], *(draw.pick(names) for _ in range(draw.pick((0, 0, 1, 2))))}
    outputs = [onnx.ValueInfoProto(name=name) for name in sorted(chosen)]
    dims = ["batch", *g.shape[1:]] if draw.chance(0.3) else g.shape
    graph = helper.make_graph(g.nodes, "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)], outputs,
                              g.initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    return model, [draw.values("float32", g.shape, -1, 1)]

"""Attention and what turns its queries and keys."""

import numpy as np

from ...dialects.npu import attention as ops
from ..elements import Array, precise
from ..products import product
from ..registry import meaning


def _read(op: ops.HeadsOp, name: str, array: Array) -> Array:
    """A value with heads, with the axes batch, heads, rows and channels."""
    return precise(array).transpose([op.axes_of(name).index(letter) for letter in "BHNC"])


def _written(op: ops.HeadsOp, array: Array) -> Array:
    """The result with its axes in the order of the op."""
    return array.transpose(["BHNC".index(letter) for letter in op.axes_of("result")])


@meaning(ops.AttentionOp)
def attention(op: ops.AttentionOp, query: Array, key: Array, value: Array, mask: Array | None) -> Array:
    query, key, value = _read(op, "query", query), _read(op, "key", key), _read(op, "value", value)
    heads, rows, keys = query.shape[1], query.shape[2], key.shape[2]
    key, value = (np.repeat(each, heads // max(each.shape[1], 1), 1) for each in (key, value))
    weights = product(query, key.swapaxes(2, 3)) * op.scale.value.data
    if op.softcap is not None:
        cap = op.softcap.value.data
        weights = cap * np.tanh(weights / cap)
    added = np.zeros((1, 1, rows, keys))
    if mask is not None:
        added = np.where(mask, 0, -np.inf) if mask.dtype == np.bool_ else precise(mask)
    if op.causal is not None:
        added = np.where(np.tri(rows, keys, dtype=np.bool_), added, -np.inf)
    weights = weights + added
    largest = weights.max(-1, keepdims=True, initial=-np.inf)
    is_hidden: Array = added.max(-1, keepdims=True, initial=-np.inf) == -np.inf
    powers = np.where(is_hidden, 0, np.exp(weights - np.where(is_hidden, 0, largest)))
    total = powers.sum(-1, keepdims=True)
    return _written(op, product(powers / np.where(is_hidden, 1, total), value))


@meaning(ops.RotaryOp)
def rotary(op: ops.RotaryOp, x: Array, cos: Array, sin: Array, positions: Array | None) -> Array:
    x = _read(op, "input", x)
    cos, sin = ((precise(each) if positions is None else precise(each)[positions])[:, None] for each in (cos, sin))
    angles = cos.shape[-1]
    turned, rest = x[..., : 2 * angles], x[..., 2 * angles :]
    if op.interleaved is None:
        a, b = turned[..., :angles], turned[..., angles:]
    else:
        a, b = turned[..., ::2], turned[..., 1::2]
    both = [a * cos - b * sin, a * sin + b * cos]
    joined = np.concatenate(both, -1) if op.interleaved is None else np.stack(both, -1).reshape(turned.shape)
    return _written(op, np.concatenate([joined, rest], -1))

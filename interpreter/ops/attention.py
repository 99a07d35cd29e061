"""Attention and what turns its queries and keys."""

import numpy as np

from ...dialects.npu import attention as ops
from ..elements import Array, precise
from ..products import product
from ..registry import meaning


def _heads_first(op: ops.HeadsOp, array: Array) -> Array:
    """A value with heads, with these in front of the rows; or back again."""
    return array if op.rows_first is None else array.swapaxes(1, 2)


@meaning(ops.AttentionOp)
def attention(op: ops.AttentionOp, query: Array, key: Array, value: Array, mask: Array | None) -> Array:
    query, key, value = (_heads_first(op, precise(each)) for each in (query, key, value))
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
    return _heads_first(op, product(powers / np.where(is_hidden, 1, total), value))


@meaning(ops.RotaryOp)
def rotary(op: ops.RotaryOp, x: Array, cos: Array, sin: Array, positions: Array | None) -> Array:
    x = _heads_first(op, precise(x))
    cos, sin = ((precise(each) if positions is None else precise(each)[positions])[:, None] for each in (cos, sin))
    angles = cos.shape[-1]
    turned, rest = x[..., : 2 * angles], x[..., 2 * angles :]
    if op.interleaved is None:
        a, b = turned[..., :angles], turned[..., angles:]
    else:
        a, b = turned[..., ::2], turned[..., 1::2]
    both = [a * cos - b * sin, a * sin + b * cos]
    joined = np.concatenate(both, -1) if op.interleaved is None else np.stack(both, -1).reshape(turned.shape)
    return _heads_first(op, np.concatenate([joined, rest], -1))

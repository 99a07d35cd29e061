// RUN: npu-opt %s --stats 2>&1 >%t.mlir | filecheck %s --check-prefix=STATS
// RUN: npu-opt %s --stats=json 2>&1 >%t.mlir | filecheck %s --check-prefix=JSON
// RUN: npu-check %S/Inputs/blocks_plain.mlir %s | filecheck %s
// RUN: not npu-check %s %S/Inputs/blocks_other.mlir | filecheck %s --check-prefix=OTHER
// RUN: npu-opt %s --npu-default -o %t.mlir
// RUN: npu-check %s %t.mlir
// RUN: not npu-opt %s --strip-layouts 2>&1 | filecheck %s --check-prefix=STRIP

/// Figures of packs: those of a constant, and those that move nothing, are free.
// STATS: transposes and the bytes they move:
// STATS: transposes  bytes  packs  bytes
// STATS: before
// STATS-SAME: 0      0      2  24576
// JSON: "packs": 2, "packed_bytes": 24576

/// A program in blocks is proved to be the one without, and differs from one with another constant.
// CHECK: proved:
// OTHER: different:

/// Layouts with blocks cannot be stripped.
// STRIP: blocks.mlir:[[# @LINE + 1]]:1: error: pass 'strip-layouts' failed: the layout NHWC8c has blocks, which only a type can state: unpack the value first
func.func @main(%x: tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x8x8x5x8xf32, #npu.layout<NHWC8c>>) {
  %ones = npu.constant dense<1.0> : tensor<1x40x1x1xf32, #npu.layout<NCHW>>
  %w = npu.pack %ones : (tensor<1x40x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %p = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %sum = npu.add %p, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %exp = npu.exp %sum : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %y = npu.unpack %exp : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  %free = npu.pack %y : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x5x8xf32, #npu.layout<NHWC8c>>
  return %y, %free : tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x8x8x5x8xf32, #npu.layout<NHWC8c>>
}

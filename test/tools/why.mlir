// RUN: npu-opt %s --layout-preset --why=%relu -o %t.mlir 2>&1 | filecheck %s --check-prefix=RELU --match-full-lines
// RUN: npu-opt %s --layout-preset --why=%add --why=%y -o %t.mlir 2>&1 | filecheck %s --check-prefix=SUM --match-full-lines
// RUN: npu-opt %s --layout-optimal --why=%relu -o %t.mlir 2>&1 | filecheck %s --check-prefix=OPTIMAL --match-full-lines
// RUN: not npu-opt %s --layout-preset --why=%rulu 2>&1 | filecheck %s --check-prefix=UNKNOWN --match-full-lines
// RUN: not npu-opt %s --layout-preset --why=%x 2>&1 | filecheck %s --check-prefix=TWICE --match-full-lines
// RUN: npu-opt %s --layout-preset --why=@other:%x -o %t.mlir 2>&1 | filecheck %s --check-prefix=OTHER --match-full-lines
// RUN: not npu-opt %s --canonicalize --why=%relu 2>&1 | filecheck %s --check-prefix=NOTHING --match-full-lines

/// The demand behind a layout, the ops through which it came, and what it meets.
// RELU:      layout-preset: %relu is stored in NHWC instead of NCHW
// RELU-NEXT:   because %conv conv2d demands NHWC of data (opu.toml:21) (through %abs abs)
// RELU-NEXT:   against argument %x, which is NCHW: transposed to NHWC (768 bytes)
// RELU-NEXT:   against %flat reshape produces a Tensor that keeps its layout: it reads an argument of class Tensor: transposed from NHWC to NCHW (768 bytes)

/// A value that keeps its layout: no demand reaches it, and it is connected to a fixed one. Two values have two answers.
// SUM:      layout-preset: %add stays in Tensor
// SUM-NEXT:   no demand on target opu reaches it
// SUM-NEXT:   and argument %y keeps Tensor
// SUM-NEXT:   and %flat reshape produces a Tensor that keeps its layout: it reads an argument of class Tensor
// SUM-NEXT:   against %conv, which is NHWC: transposed to NCHW (768 bytes)
// SUM-NEXT: layout-preset: %y stays in Tensor

/// The best program keeps this value unchanged; then the cost of the whole, and the one change that would reduce it.
// OPTIMAL:      layout-optimal: %relu stays in NCHW
// OPTIMAL-NEXT:   because argument %x is NCHW
// OPTIMAL-NEXT:   in all: 2 transposes, 1536 bytes: proved minimum
// OPTIMAL-NEXT:   with argument %x of @main stored as NHWC (--interface=@main:%x:NHWC): 2 to 1 transposes, 1536 to 768 bytes

/// A name that there is not, or twice, and passes that decide on nothing.
// UNKNOWN: npu-opt: error: argument --why: the program has no value '%rulu' (did you mean '%relu'?)
// TWICE:   npu-opt: error: argument --why: several functions have a %x: give @main:%x or @other:%x
// OTHER:   layout-preset: %x stays in Tensor
// NOTHING: npu-opt: error: argument --why: no pass in the pipeline decides layouts (--layout-preset)

func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>,
                %y: tensor<1x192xf32>) -> tensor<1x192xf32> {
  %relu = npu.relu %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32>
  %abs = npu.abs %relu : tensor<1x8x4x6xf32>
  %conv = npu.conv2d %abs, %kernel data_layout = <NCHW>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32>
  %flat = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  %add = npu.add %flat, %y : tensor<1x192xf32>
  func.return %add : tensor<1x192xf32>
}

func.func @other(%x: tensor<4xf32>) {
  func.return
}

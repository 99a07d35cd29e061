// RUN: npu-opt %s --split-input-file --layout-optimal --why=%y 2>&1 >/dev/null | filecheck %s --match-full-lines
// RUN: npu-opt %s --split-input-file --layout-preset strategy=naive --why=%y 2>&1 >/dev/null | filecheck %s --check-prefix=NAIVE --match-full-lines

/// A value that is not transposed has the cost of its demand. Behind canonicalize, naive leaves the minimum here.
// CHECK:      layout-optimal: %y is stored in NHWC instead of NCHW
// CHECK-NEXT:   because %y conv2d demands NHWC of data (opu.toml:21)
// CHECK-NEXT:   in all: 2 transposes, 1024 bytes: proved minimum
// CHECK-NEXT:   without the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, 1024 to 0 bytes
// NAIVE:      layout-preset: %y is stored in NHWC instead of NCHW
// NAIVE-NEXT:   because %y conv2d demands NHWC of data (opu.toml:21)
// NAIVE-NEXT:   against %y is converted back, as each op is wrapped alone: transposed from NHWC to NCHW (512 bytes)
// NAIVE-NEXT:   against argument %x, which is NCHW: transposed to NHWC (512 bytes)
// NAIVE-NEXT:   against %z conv2d demands NHWC of data (opu.toml:21): transposed from NCHW to NHWC (512 bytes)
// NAIVE-NEXT: layout-preset: %y stays in Tensor
func.func @main(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %z = npu.conv2d %y, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  func.return %z : tensor<1x8x4x4xf32>
}

// -----

/// Ops of which nothing is known cannot change, nor can what they read.
// CHECK-NEXT: layout-optimal: %y stays in Tensor
// CHECK-NEXT:   because %y opaque keeps its layout: nothing is known of its axes
// CHECK-NEXT:   transposed for %z opaque (96 bytes), because %z opaque keeps its layout: nothing is known of its axes, and so does %y opaque: %t transpose of the program is between them
// CHECK-NEXT:   in all: 1 transpose, 96 bytes: the least for the ops that were placed
// CHECK-NEXT:   no single change saves anything: both ends of the conflict are fixed
// CHECK-NEXT: note: layout-optimal: 1 op of other dialects left unchanged: lib.sink
func.func @both_fixed() -> tensor<4x6xf32> {
  %y = npu.opaque "lib.source"() : () -> tensor<6x4xf32>
  %t = npu.transpose %y permutation = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %z = npu.opaque "lib.sink"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  func.return %z : tensor<4x6xf32>
}

// -----

/// The least that helps is named: for products of matrices in batches, other orders of the batch axes.
// CHECK-NEXT: layout-optimal: %y stays in NTensor
// CHECK-NEXT:   because %x matmul requires untransposed operands: matmul = "rigid" (opu.toml:5)
// CHECK-NEXT:   transposed for %z matmul (384 bytes), because %z matmul requires untransposed operands: matmul = "rigid" (opu.toml:5), and so does %x matmul (through %y relu): %t transpose of the program is between them
// CHECK-NEXT:   in all: 2 transposes, 960 bytes: proved minimum
// CHECK-NEXT:   with matmul = "batch" (opu.toml:5): 2 to 0 transposes, 960 to 0 bytes
func.func @batch(%a: tensor<2x3x4x5xf32>, %b: tensor<2x3x5x4xf32>) -> tensor<2x3x4x6xf32> {
  %c = npu.constant dense<0.5> : tensor<3x2x4x6xf32>
  %x = npu.matmul %a, %b : (tensor<2x3x4x5xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x4x4xf32>
  %y = npu.relu %x : tensor<2x3x4x4xf32>
  %t = npu.transpose %y permutation = [1, 0, 2, 3] : (tensor<2x3x4x4xf32>) -> tensor<3x2x4x4xf32>
  %z = npu.matmul %t, %c : (tensor<3x2x4x4xf32>, tensor<3x2x4x6xf32>) -> tensor<3x2x4x6xf32>
  %u = npu.transpose %z permutation = [1, 0, 2, 3] : (tensor<3x2x4x6xf32>) -> tensor<2x3x4x6xf32>
  func.return %u : tensor<2x3x4x6xf32>
}

// -----

/// The argument of a function that is called changes with what its calls hand over, such as an argument of the caller.
// CHECK-NEXT: layout-optimal: %y stays in NCHW
// CHECK-NEXT:   because argument %x is NCHW (through %x in %r func.call)
// CHECK-NEXT:   in one layout with %x in %r func.call
// CHECK-NEXT:   transposed for %z conv2d (512 bytes), because %z conv2d demands NHWC of data (opu.toml:21), but argument %x is NCHW (through %x in %r func.call)
// CHECK-NEXT:   in all: 2 transposes, 1024 bytes: proved minimum
// CHECK-NEXT:   without the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   with argument %x stored as NHWC (--interface=%x:NHWC): 2 to 1 transposes, 1024 to 512 bytes
func.func @main(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %r = func.call @called(%x) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  func.return %r : tensor<1x8x4x4xf32>
}
func.func private @called(%y: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %z = npu.conv2d %y, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  func.return %z : tensor<1x8x4x4xf32>
}

// -----

/// A constant is stored as its users need it: its axes are known, and nothing keeps it.
// CHECK-NEXT: layout-optimal: %y stays in OIHW
// CHECK-NEXT:   because %y constant is stored in each layout that its users need
// CHECK-NEXT:   in all: 0 transposes, 0 bytes: proved minimum
// NAIVE:      layout-preset: %y stays in OIHW
func.func @kernel(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %y = npu.constant dense<0.5> : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
  %z = npu.conv2d %x, %y
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %z : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// A preset that leaves more than the minimum behind canonicalize says so.
// CHECK-NEXT: layout-optimal: %y {{.*}}
// NAIVE:      layout-preset: %y stays in Tensor
// NAIVE:        against %a, which is NHWC: transposed to NCHW (512 bytes)
// NAIVE:        with --layout-optimal: 4 to 2 transposes, 2048 to 1024 bytes
func.func @flat(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %flat = npu.reshape %a : (tensor<1x8x4x4xf32>) -> tensor<1x128xf32>
  %y = npu.relu %flat : tensor<1x128xf32>
  %b = npu.reshape %y : (tensor<1x128xf32>) -> tensor<1x8x4x4xf32>
  %c = npu.conv2d %b, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  func.return %c : tensor<1x8x4x4xf32>
}

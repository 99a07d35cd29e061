// RUN: npu-opt %s --split-input-file --recognise-shuffles | filecheck %s
// RUN: npu-opt %s --split-input-file --recognise-shuffles --recognise-shuffles | filecheck %s
// RUN: npu-opt %s --split-input-file --recognise-shuffles --canonicalize --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix STATS

/// A shuffle of channels is one gather, however the channels are stored, with batches of any size.
// CHECK-LABEL: @shuffled(
// CHECK-NEXT: %0 = npu.constant dense<[0, 3, 1, 4, 2, 5]> : tensor<6xi64, #npu.layout<Tensor>>
// CHECK-NEXT: %y = npu.gather %x, %0 axis = 3
// CHECK-SAME:   : (tensor<?x4x4x6xf32, #npu.layout<NHWC>>, tensor<6xi64, #npu.layout<Tensor>>) -> tensor<?x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: func.return %y
func.func @shuffled(%x: tensor<?x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<?x4x4x6xf32, #npu.layout<NHWC>> {
  %a = npu.reshape %x dims = [@in0, 4, 4, 2, 3] : (tensor<?x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<?x4x4x2x3xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>
  %b = npu.transpose %a permutation = [0, 1, 2, 4, 3] : (tensor<?x4x4x2x3xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>) -> tensor<?x4x4x3x2xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>
  %y = npu.reshape %b dims = [@in0, 4, 4, 6] : (tensor<?x4x4x3x2xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>) -> tensor<?x4x4x6xf32, #npu.layout<NHWC>>
  func.return %y : tensor<?x4x4x6xf32, #npu.layout<NHWC>>
}

// -----

/// It may be along any axis, and any number of chains may follow each other. In programs without layouts indices have none.
// CHECK-LABEL: @twice(
// CHECK-NEXT: %0 = npu.constant dense<[0, 2, 4, 6, 1, 3, 5, 7]> : tensor<8xi64>
// CHECK-NEXT: %c = npu.gather %x, %0 axis = 1 : (tensor<2x8xf32>, tensor<8xi64>) -> tensor<2x8xf32>
// CHECK-NEXT: func.return %c, %c
func.func @twice(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %0 = npu.reshape %x : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %1 = npu.transpose %0 permutation = [0, 2, 1] : (tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
  %a = npu.reshape %1 : (tensor<2x4x2xf32>) -> tensor<2x8xf32>
  %2 = npu.reshape %a : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %3 = npu.transpose %2 permutation = [0, 2, 1] : (tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
  %c = npu.reshape %3 : (tensor<2x4x2xf32>) -> tensor<2x8xf32>
  func.return %c, %c : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

/// Convolutions that alone read it, also through a relu, take the channels as they come: their kernels are stored in
/// another order, which canonicalize folds. Nothing is moved.
// CHECK-LABEL: @read(
// CHECK:      %r = npu.relu %x : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT: %0 = npu.relabel %k
// CHECK-NEXT: %1 = npu.reshape %0 : (tensor<1x4x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x1x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT: %2 = npu.transpose %1 permutation = [0, 2, 1, 3, 4]
// CHECK-NEXT: %3 = npu.reshape %2 : (tensor<1x2x2x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x4x1x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT: %4 = npu.relabel %3
// CHECK-NEXT: %y = npu.conv2d %r, %4
func.func @read(%x: tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> (tensor<1x1x2x2xf32, #npu.layout<NCHW>>, tensor<1x1x2x2xf32, #npu.layout<NCHW>>) {
  %k = npu.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32, #npu.layout<OIHW>>
  %0 = npu.reshape %x : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %1 = npu.transpose %0 permutation = [0, 2, 1, 3] : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %s = npu.reshape %1 : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %r = npu.relu %s : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %r, %k : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x2x2xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %s, %k : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x2x2xf32, #npu.layout<NCHW>>
  func.return %y, %z : tensor<1x1x2x2xf32, #npu.layout<NCHW>>, tensor<1x1x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// So does a convolution that alone makes the value: its kernel and its bias are stored in another order.
// CHECK-LABEL: @made(
// CHECK:      %k = npu.constant
// CHECK:      %[[K:[0-9]+]] = npu.relabel %{{[0-9]+}} : (tensor<4x1x1x1xf32, #npu.layout<Tensor>>) -> tensor<4x1x1x1xf32, #npu.layout<OIHW>>
// CHECK:      %[[B:[0-9]+]] = npu.reshape %{{[0-9]+}} : (tensor<2x2xf32, #npu.layout<Tensor>>) -> tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT: %c = npu.conv2d %x, %[[K]], %[[B]]
// CHECK-NEXT: %r = npu.relu %c
// CHECK-NEXT: func.return %r
func.func @made(%x: tensor<1x1x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>> {
  %k = npu.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32, #npu.layout<OIHW>>
  %b = npu.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32, #npu.layout<Tensor>>
  %c = npu.conv2d %x, %k, %b : (tensor<1x1x2x2xf32, #npu.layout<NCHW>>, tensor<4x1x1x1xf32, #npu.layout<OIHW>>, tensor<4xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %r = npu.relu %c : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %0 = npu.reshape %r : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %1 = npu.transpose %0 permutation = [0, 2, 1, 3] : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %s = npu.reshape %1 : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// A convolution with groups does not take channels of other groups, nor one with a computed kernel: a gather.
// CHECK-LABEL: @groups(
// CHECK:      %s = npu.gather %x, %{{.*}} axis = 1
// CHECK-NEXT: %y = npu.conv2d %s, %k groups = 2
// CHECK:      %t = npu.gather %x, %{{.*}} axis = 1
// CHECK-NEXT: %z = npu.conv2d %t, %g
func.func @groups(%x: tensor<1x4x2x2xf32, #npu.layout<NCHW>>, %g: tensor<1x4x1x1xf32, #npu.layout<OIHW>>) -> (tensor<1x2x2x2xf32, #npu.layout<NCHW>>, tensor<1x1x2x2xf32, #npu.layout<NCHW>>) {
  %k = npu.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32, #npu.layout<OIHW>>
  %0 = npu.reshape %x : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %1 = npu.transpose %0 permutation = [0, 2, 1, 3] : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %s = npu.reshape %1 : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %s, %k groups = 2 : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>, tensor<2x2x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x2x2x2xf32, #npu.layout<NCHW>>
  %2 = npu.reshape %x : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %3 = npu.transpose %2 permutation = [0, 2, 1, 3] : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x4xf32, #npu.layout<Tensor>>
  %t = npu.reshape %3 : (tensor<1x2x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %t, %g : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x2x2xf32, #npu.layout<NCHW>>
  func.return %y, %z : tensor<1x2x2x2xf32, #npu.layout<NCHW>>, tensor<1x1x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// A chain with another user inside stays, as the transpose would stay, and so do one that moves elements to another axis, one
/// that moves nothing, one of a constant, and one without users.
// CHECK-LABEL: @kept(
// CHECK-NOT: npu.gather
// CHECK: func.return
func.func @kept(%x: tensor<4x4xf32>, %v: tensor<4x1xf32>) -> (tensor<2x2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x1xf32>, tensor<4xf32>) {
  %0 = npu.reshape %x : (tensor<4x4xf32>) -> tensor<2x2x4xf32>
  %1 = npu.transpose %0 permutation = [1, 0, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %a = npu.reshape %1 : (tensor<2x2x4xf32>) -> tensor<4x4xf32>
  %b = npu.transpose %x permutation = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = npu.reshape %v : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
  %3 = npu.transpose %2 permutation = [0, 2, 1] : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %c = npu.reshape %3 : (tensor<4x1x1xf32>) -> tensor<4x1xf32>
  %k = npu.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %4 = npu.reshape %k : (tensor<4xf32>) -> tensor<2x2xf32>
  %5 = npu.transpose %4 permutation = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = npu.reshape %5 : (tensor<2x2xf32>) -> tensor<4xf32>
  %6 = npu.reshape %x : (tensor<4x4xf32>) -> tensor<2x2x4xf32>
  %7 = npu.transpose %6 permutation = [1, 0, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %e = npu.reshape %7 : (tensor<2x2x4xf32>) -> tensor<4x4xf32>
  func.return %1, %a, %b, %c, %d : tensor<2x2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x1xf32>, tensor<4xf32>
}

/// Gathers move data as transposes do, and are counted.
/// Without gathers, only the shuffles that convolutions take are gone.

// STATS:      transposes and the bytes they move (unknown sizes count as 64, first ones as 1):
// STATS-NEXT:                         transposes  bytes  gathers  bytes
// STATS-NEXT:   before                        10   ~960        0      0
// STATS-NEXT:   1. recognise-shuffles          3    192        4   ~576
// STATS-NEXT:   2. canonicalize                2    128        4   ~576
// STATS-NEXT:   after                          2    128        4   ~576

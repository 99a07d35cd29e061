// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// The nearest elements, each twice along H and three times along W.
func.func @main(%x: tensor<1x4x4x2xf32>) -> tensor<1x8x12x2xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 6, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1, -2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x12x2xf32>
  return %0 : tensor<1x8x12x2xf32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x2xf32>) -> tensor<1x8x12x2xf32> {
// CHECK-NEXT:    %0 = npu.upsample %x factors = [2, 3] data_layout = <NHWC>
// CHECK-SAME:      : (tensor<1x4x4x2xf32>) -> tensor<1x8x12x2xf32>
// CHECK-NEXT:    func.return %0 : tensor<1x8x12x2xf32>

// -----

/// Between elements, with all corners where they were; half a pixel in; and from the first element on.
func.func @main(%x: tensor<1x4x4x2xf32>) -> (tensor<1x7x7x2xf32>, tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %half = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %one = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %two = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %none, %none {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x2xf32>
  %1 = tosa.resize %x, %s, %half, %one {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x2xf32>
  %2 = tosa.resize %x, %s, %none, %two {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x2xf32>
  return %0, %1, %2 : tensor<1x7x7x2xf32>, tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x2xf32>) -> (tensor<1x7x7x2xf32>, tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) {
// CHECK-NEXT:    %0 = npu.bilinear %x sizes = [7, 7] coordinates = "align_corners" data_layout = <NHWC>
// CHECK-SAME:      : (tensor<1x4x4x2xf32>) -> tensor<1x7x7x2xf32>
// CHECK-NEXT:    %1 = npu.bilinear %x sizes = [8, 8] data_layout = <NHWC>
// CHECK-SAME:      : (tensor<1x4x4x2xf32>) -> tensor<1x8x8x2xf32>
// CHECK-NEXT:    %2 = npu.bilinear %x sizes = [8, 8] coordinates = "asymmetric" data_layout = <NHWC>
// CHECK-SAME:      : (tensor<1x4x4x2xf32>) -> tensor<1x8x8x2xf32>
// CHECK-NEXT:    func.return %0, %1, %2 : tensor<1x7x7x2xf32>, tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>

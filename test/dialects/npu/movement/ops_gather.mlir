// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// A vector of indices selects along an axis, and the result has the layout of the input.
// CHECK-LABEL: func.func @vector(
func.func @vector(
  %a: tensor<4x6xf32>, %i: tensor<3xi64>, %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>,
  %odd: tensor<9x16x8x1xi1, #npu.layout<WCHN>>, %ui: tensor<3xui8, #npu.layout<Tensor>>,
  %t: tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>, %single: tensor<1xi32>, %empty: tensor<0x6xf32>, %no: tensor<0xi32>
) {
  // CHECK-NEXT: %plain = npu.gather %a, %i axis = 1 : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  %plain = npu.gather %a, %i axis = 1 : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  // CHECK-NEXT: %nhwc = npu.gather %x, %i axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<3xi64>) -> tensor<1x8x9x3xf32, #npu.layout<NHWC>>
  %nhwc = npu.gather %x, %i axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<3xi64>) -> tensor<1x8x9x3xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %wchn = npu.gather %odd, %ui axis = 0 {tag = "kept"} : (tensor<9x16x8x1xi1, #npu.layout<WCHN>>, tensor<3xui8, #npu.layout<Tensor>>) -> tensor<3x16x8x1xi1, #npu.layout<WCHN>>
  %wchn = npu.gather %odd, %ui axis = 0 {tag = "kept"}
    : (tensor<9x16x8x1xi1, #npu.layout<WCHN>>, tensor<3xui8, #npu.layout<Tensor>>) -> tensor<3x16x8x1xi1, #npu.layout<WCHN>>
  // CHECK-NEXT: %turned = npu.gather %t, %i axis = 0 : (tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>, tensor<3xi64>) -> tensor<3x6xf32, #npu.layout<Tensor, [1, 0]>>
  %turned = npu.gather %t, %i axis = 0
    : (tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>, tensor<3xi64>) -> tensor<3x6xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %one = npu.gather %x, %single axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1xi32>) -> tensor<1x8x9x1xf32, #npu.layout<NHWC>>
  %one = npu.gather %x, %single axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1xi32>) -> tensor<1x8x9x1xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %none = npu.gather %empty, %no axis = 0 : (tensor<0x6xf32>, tensor<0xi32>) -> tensor<0x6xf32>
  %none = npu.gather %empty, %no axis = 0 : (tensor<0x6xf32>, tensor<0xi32>) -> tensor<0x6xf32>
  return
}

/// A single index removes the axis, and with it the letters. The remaining axes keep their logical order.
// CHECK-LABEL: func.func @scalar(
func.func @scalar(
  %a: tensor<4x6xf32>, %i: tensor<i64>, %x: tensor<1x16x8x9xf32, #npu.layout<NCHW>>,
  %x_last: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %j: tensor<i32, #npu.layout<Tensor>>
) {
  // CHECK-NEXT: %plain = npu.gather %a, %i axis = 0 : (tensor<4x6xf32>, tensor<i64>) -> tensor<6xf32>
  %plain = npu.gather %a, %i axis = 0 : (tensor<4x6xf32>, tensor<i64>) -> tensor<6xf32>
  // CHECK-NEXT: %nchw = npu.gather %x, %i axis = 1 : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<i64>) -> tensor<1x8x9xf32, #npu.layout<Tensor>>
  %nchw = npu.gather %x, %i axis = 1
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<i64>) -> tensor<1x8x9xf32, #npu.layout<Tensor>>
  /// Without H of N, H, W, C the rest is N, W, C: axes 0, 2, 1 of N, C, W.
  // CHECK-NEXT: %nhwc = npu.gather %x_last, %i axis = 1 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<i64>) -> tensor<1x9x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %nhwc = npu.gather %x_last, %i axis = 1
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<i64>) -> tensor<1x9x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %batched = npu.gather %x_last, %j axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<i32, #npu.layout<Tensor>>) -> tensor<1x8x9xf32, #npu.layout<NTensor>>
  %batched = npu.gather %x_last, %j axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<i32, #npu.layout<Tensor>>) -> tensor<1x8x9xf32, #npu.layout<NTensor>>
  return
}

/// The axes of indices of a higher rank replace the axis, in their stored order.
// CHECK-LABEL: func.func @matrix(
func.func @matrix(
  %table: tensor<1000x768xf32>, %i: tensor<2x7xi64>, %t: tensor<1000x768xf32, #npu.layout<Tensor>>,
  %j: tensor<2x7xi64, #npu.layout<Tensor>>, %u: tensor<768x1000xf32, #npu.layout<Tensor, [1, 0]>>,
  %k: tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>, %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %plain = npu.gather %table, %i axis = 0 : (tensor<1000x768xf32>, tensor<2x7xi64>) -> tensor<2x7x768xf32>
  %plain = npu.gather %table, %i axis = 0 : (tensor<1000x768xf32>, tensor<2x7xi64>) -> tensor<2x7x768xf32>
  // CHECK-NEXT: %tensor = npu.gather %t, %j axis = 0 : (tensor<1000x768xf32, #npu.layout<Tensor>>, tensor<2x7xi64, #npu.layout<Tensor>>) -> tensor<2x7x768xf32, #npu.layout<NTensor>>
  %tensor = npu.gather %t, %j axis = 0
    : (tensor<1000x768xf32, #npu.layout<Tensor>>, tensor<2x7xi64, #npu.layout<Tensor>>) -> tensor<2x7x768xf32, #npu.layout<NTensor>>
  /// Logical axes I0, I1, C of a table in the order C, R and indices in the order I1, I0: stored as C, I1, I0.
  // CHECK-NEXT: %turned = npu.gather %u, %k axis = 1 : (tensor<768x1000xf32, #npu.layout<Tensor, [1, 0]>>, tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) -> tensor<768x7x2xf32, #npu.layout<Tensor, [2, 1, 0]>>
  %turned = npu.gather %u, %k axis = 1
    : (tensor<768x1000xf32, #npu.layout<Tensor, [1, 0]>>, tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) -> tensor<768x7x2xf32, #npu.layout<Tensor, [2, 1, 0]>>
  /// Logical axes N, I0, I1, H, W; stored as N, H, W, I1, I0.
  // CHECK-NEXT: %nhwc = npu.gather %x, %k axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x8x9x7x2xf32, #npu.layout<Tensor, [0, 3, 4, 2, 1]>>
  %nhwc = npu.gather %x, %k axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x8x9x7x2xf32, #npu.layout<Tensor, [0, 3, 4, 2, 1]>>
  return
}

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%a: tensor<?x6xf32>, %i: tensor<?xi64>, %empty: tensor<0x6xf32>) {
  // CHECK-NEXT: %rows = npu.gather %a, %i axis = 0 : (tensor<?x6xf32>, tensor<?xi64>) -> tensor<?x6xf32>
  %rows = npu.gather %a, %i axis = 0 : (tensor<?x6xf32>, tensor<?xi64>) -> tensor<?x6xf32>
  // CHECK-NEXT: %none = npu.gather %empty, %i axis = 0 : (tensor<0x6xf32>, tensor<?xi64>) -> tensor<?x6xf32>
  %none = npu.gather %empty, %i axis = 0 : (tensor<0x6xf32>, tensor<?xi64>) -> tensor<?x6xf32>
  return
}

/// Values with and without a layout may be mixed.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(
  %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %i: tensor<i64>, %plain: tensor<1x8x9x16xf32>, %v: tensor<3xi64>,
  %m: tensor<2x7xi64>
) {
  // CHECK-NEXT: %out = npu.gather %x, %i axis = 1 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<i64>) -> tensor<1x9x16xf32>
  %out = npu.gather %x, %i axis = 1 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<i64>) -> tensor<1x9x16xf32>
  // CHECK-NEXT: %in = npu.gather %plain, %i axis = 1 : (tensor<1x8x9x16xf32>, tensor<i64>) -> tensor<1x9x16xf32, #npu.layout<Tensor, [1, 0, 2]>>
  %in = npu.gather %plain, %i axis = 1
    : (tensor<1x8x9x16xf32>, tensor<i64>) -> tensor<1x9x16xf32, #npu.layout<Tensor, [1, 0, 2]>>
  // CHECK-NEXT: %vector = npu.gather %plain, %v axis = 1 : (tensor<1x8x9x16xf32>, tensor<3xi64>) -> tensor<1x3x9x16xf32, #npu.layout<NHWC>>
  %vector = npu.gather %plain, %v axis = 1 : (tensor<1x8x9x16xf32>, tensor<3xi64>) -> tensor<1x3x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %indices = npu.gather %x, %m axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<2x7xi64>) -> tensor<1x8x9x2x7xf32, #npu.layout<Tensor>>
  %indices = npu.gather %x, %m axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<2x7xi64>) -> tensor<1x8x9x2x7xf32, #npu.layout<Tensor>>
  return
}

/// No index, of any number of axes, selects from an axis without elements.
// CHECK-LABEL: func.func @no_indices(
func.func @no_indices(%empty: tensor<0x6xf32>, %i: tensor<3x0xi32>) {
  // CHECK-NEXT: %none = npu.gather %empty, %i axis = 0 : (tensor<0x6xf32>, tensor<3x0xi32>) -> tensor<3x0x6xf32>
  %none = npu.gather %empty, %i axis = 0 : (tensor<0x6xf32>, tensor<3x0xi32>) -> tensor<3x0x6xf32>
  return
}

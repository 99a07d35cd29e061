// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// The sizes of some axes are a vector, in any order, of values in any layout.
// CHECK-LABEL: func.func @shape_of(
func.func @shape_of(%x: tensor<?x3x?xf32>, %y: tensor<1x?x?x16xi1, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.shape_of %x axes = [2, 0] : (tensor<?x3x?xf32>) -> tensor<2xi64>
  %a = npu.shape_of %x axes = [2, 0] : (tensor<?x3x?xf32>) -> tensor<2xi64>
  // CHECK-NEXT: %b = npu.shape_of %y axes = [1, 2] : (tensor<1x?x?x16xi1, #npu.layout<NHWC>>) -> tensor<2xi64>
  %b = npu.shape_of %y axes = [1, 2] : (tensor<1x?x?x16xi1, #npu.layout<NHWC>>) -> tensor<2xi64>
  return
}

// -----

/// Data and result have one layout, the vectors have none or their own. Sizes along named axes may be known.
// CHECK-LABEL: func.func @slice(
func.func @slice(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<2xi64>, %e: tensor<2xi32, #npu.layout<Tensor>>) {
  // CHECK-NEXT: %a = npu.dynamic_slice %x, %s, %e axes = [2, 1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<2xi32, #npu.layout<Tensor>>) -> tensor<1x?x4x16xf32, #npu.layout<NHWC>>
  %a = npu.dynamic_slice %x, %s, %e axes = [2, 1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<2xi32, #npu.layout<Tensor>>) -> tensor<1x?x4x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.dynamic_slice %x, %s, %e, %s axes = [2, 1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<2xi32, #npu.layout<Tensor>>, tensor<2xi64>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  %b = npu.dynamic_slice %x, %s, %e, %s axes = [2, 1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<2xi32, #npu.layout<Tensor>>, tensor<2xi64>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Pads have two numbers for each axis, and a value in mode "constant".
// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<4x?xi8>, %p: tensor<4xi64>, %one: tensor<2xi64>) {
  // CHECK-NEXT: %a = npu.dynamic_pad %x, %p axes = [0, 1] value = 3.000000e+00 : (tensor<4x?xi8>, tensor<4xi64>) -> tensor<?x?xi8>
  %a = npu.dynamic_pad %x, %p axes = [0, 1] value = 3.0 : (tensor<4x?xi8>, tensor<4xi64>) -> tensor<?x?xi8>
  // CHECK-NEXT: %b = npu.dynamic_pad %x, %one axes = [1] mode = "reflect" : (tensor<4x?xi8>, tensor<2xi64>) -> tensor<4x?xi8>
  %b = npu.dynamic_pad %x, %one axes = [1] mode = "reflect" : (tensor<4x?xi8>, tensor<2xi64>) -> tensor<4x?xi8>
  return
}

// -----

/// Parts are equally long, or of sizes in a vector.
// CHECK-LABEL: func.func @split(
func.func @split(%x: tensor<4x?xi8>, %s: tensor<2xi64>) {
  // CHECK-NEXT: %a, %b = npu.dynamic_split %x axis = 1 parts = 2 : (tensor<4x?xi8>) -> (tensor<4x?xi8>, tensor<4x?xi8>)
  %a, %b = npu.dynamic_split %x axis = 1 parts = 2 : (tensor<4x?xi8>) -> (tensor<4x?xi8>, tensor<4x?xi8>)
  // CHECK-NEXT: %e, %f = npu.dynamic_split %x axis = 1 parts = 2 equal : (tensor<4x?xi8>) -> (tensor<4x?xi8>, tensor<4x?xi8>)
  %e, %f = npu.dynamic_split %x axis = 1 parts = 2 equal : (tensor<4x?xi8>) -> (tensor<4x?xi8>, tensor<4x?xi8>)
  // CHECK-NEXT: %c, %d = npu.dynamic_split %x, %s axis = 0 parts = 2 : (tensor<4x?xi8>, tensor<2xi64>) -> (tensor<3x?xi8>, tensor<?x?xi8>)
  %c, %d = npu.dynamic_split %x, %s axis = 0 parts = 2 : (tensor<4x?xi8>, tensor<2xi64>) -> (tensor<3x?xi8>, tensor<?x?xi8>)
  return
}

// -----

/// The numbers of repeats belong to axes in their order.
// CHECK-LABEL: func.func @tile(
func.func @tile(%x: tensor<1x8x?x16xf32, #npu.layout<NHWC>>, %n: tensor<4xi64>) {
  // CHECK-NEXT: %a = npu.dynamic_tile %x, %n axes = [0, 3, 1, 2] : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<4xi64>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  %a = npu.dynamic_tile %x, %n axes = [0, 3, 1, 2] : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<4xi64>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Weights are linear in the distance, or those of a cubic.
// CHECK-LABEL: func.func @interpolate(
func.func @interpolate(%x: tensor<1x8x?x16xf32, #npu.layout<NHWC>>, %s: tensor<2xf32>, %r: tensor<4xf32>) {
  // CHECK-NEXT: %a = npu.dynamic_interpolate %x, %s axes = [2, 1] coordinates = "asymmetric" : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  %a = npu.dynamic_interpolate %x, %s axes = [2, 1] coordinates = "asymmetric" : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.dynamic_interpolate %x, %s, %r axes = [2, 1] cubic = -7.500000e-01 exclude_outside coordinates = "tf_crop_and_resize" value = 2.500000e+00 : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>, tensor<4xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  %b = npu.dynamic_interpolate %x, %s, %r axes = [2, 1] cubic = -0.75 exclude_outside coordinates = "tf_crop_and_resize" value = 2.5 : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>, tensor<4xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Numbers are sizes, or floats for scales. A region belongs to coordinates that have one.
// CHECK-LABEL: func.func @resize(
func.func @resize(%x: tensor<1x8x?x16xf32, #npu.layout<NHWC>>, %s: tensor<2xf32>, %z: tensor<2xi64>, %r: tensor<4xf32>) {
  // CHECK-NEXT: %a = npu.dynamic_resize %x, %s axes = [2, 1] coordinates = "asymmetric" rounding = "floor" : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  %a = npu.dynamic_resize %x, %s axes = [2, 1] coordinates = "asymmetric" rounding = "floor" : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %c = npu.dynamic_resize %x, %z axes = [1, 2] coordinates = "lite_half_pixel" rounding = "floor" : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xi64>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.dynamic_resize %x, %z, %r axes = [2, 1] coordinates = "tf_crop_and_resize" value = 2.500000e+00 : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<4xf32>) -> tensor<1x6x?x16xf32, #npu.layout<NHWC>>
  %c = npu.dynamic_resize %x, %z axes = [1, 2] coordinates = "lite_half_pixel" rounding = "floor" : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xi64>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
  %b = npu.dynamic_resize %x, %z, %r axes = [2, 1] coordinates = "tf_crop_and_resize" value = 2.5 : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<4xf32>) -> tensor<1x6x?x16xf32, #npu.layout<NHWC>>
  return
}

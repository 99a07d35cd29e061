// RUN: NPU_VERIFY_DIAG

/// The axes of the input have no letters.
// CHECK: error: 'npu.bilinear' input: expected a layout of class Feature, found Tensor
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<Tensor>>) {
  %y = npu.bilinear %x sizes = [8, 12]
    : (tensor<1x4x6x16xf32, #npu.layout<Tensor>>) -> tensor<1x8x12x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Only images are interpolated.
// CHECK: error: 'npu.bilinear' input: expected rank 4, found 1x6x16
func.func @f(%x: tensor<1x6x16xf32, #npu.layout<NWC>>) {
  %y = npu.bilinear %x sizes = [8, 8] : (tensor<1x6x16xf32, #npu.layout<NWC>>) -> tensor<1x8x16xf32, #npu.layout<NWC>>
  return
}

// -----

/// Only floats are interpolated.
// CHECK: error: 'npu.bilinear' input: expected a float element type, found i8
func.func @f(%x: tensor<1x4x6x16xi8, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8, 12] : (tensor<1x4x6x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi8, #npu.layout<NHWC>>
  return
}

// -----

/// There are three kinds of coordinates.
// CHECK: error: 'npu.bilinear' coordinates: expected "half_pixel", "align_corners" or "asymmetric", found "centre"
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8, 12] coordinates = "centre"
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Neither sizes nor factors.
// CHECK: error: 'npu.bilinear' sizes: expected either sizes or factors, found neither
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Both sizes and factors.
// CHECK: error: 'npu.bilinear' sizes: expected either sizes or factors, found both
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8, 12] factors = [2.0, 2.0]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There is a size for H and one for W.
// CHECK: error: 'npu.bilinear' sizes: expected 2 numbers of at least 0, found [8]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// They are not negative.
// CHECK: error: 'npu.bilinear' sizes: expected 2 numbers of at least 0, found [8, -1]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8, -1] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x?x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has these sizes.
// CHECK: error: 'npu.bilinear' result: expected shape 1x8x12x16, found 1x12x8x16
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8, 12] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x12x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There is a factor for H and one for W.
// CHECK: error: 'npu.bilinear' factors: expected 2 numbers above 0 and at most 4294967296, found [2.0, 2.0, 1.0]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x factors = [2.0, 2.0, 1.0]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// They are above 0.
// CHECK: error: 'npu.bilinear' factors: expected 2 numbers above 0 and at most 4294967296, found [2.0, 0.0]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x factors = [2.0, 0.0]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x0x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// They are not too large.
// CHECK: error: 'npu.bilinear' factors: expected 2 numbers above 0 and at most 4294967296, found [2.0, 10000000000.0]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x factors = [2.0, 1.0e10]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x?x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result is larger by the factors, rounded down.
// CHECK: error: 'npu.bilinear' result: expected shape 1x8x8x16, found 1x8x9x16
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x factors = [2.0, 1.4]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// An empty axis cannot be interpolated.
// CHECK: error: 'npu.bilinear' input: expected an element along W, found none
func.func @f(%x: tensor<1x4x0x16xf32, #npu.layout<NHWC>>) {
  %y = npu.bilinear %x sizes = [8, 12] : (tensor<1x4x0x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

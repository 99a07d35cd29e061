// RUN: NPU_VERIFY_DIAG

/// The shapes of an elementwise op have to broadcast.
// CHECK: error: 'npu.vendor_elementwise' operands: expected shapes that broadcast, found 2x3 and 2x4
func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  %z = npu.vendor_elementwise "vendor.mix"(%x, %y) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// An elementwise op has operands.
// CHECK: error: 'npu.vendor_elementwise' result: expected the rank of an operand, found 2x3
func.func @f() {
  %z = npu.vendor_elementwise "vendor.mix"() : () -> tensor<2x3xf32>
  return
}

// -----

/// An op of another system has a name.
// CHECK: error: 'npu.vendor_elementwise' op_name: expected the name of an op, found an empty string
func.func @f(%x: tensor<2x3xf32>) {
  %z = npu.vendor_elementwise ""(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// The kind of fusion is one of those of the dialect.
// CHECK: error: 'npu.vendor_elementwise' fusion: expected "elementwise", "broadcast", "injective", "reduction", "out-fusable" or "opaque", found "fast"
func.func @f(%x: tensor<2x3xf32>) {
  %z = npu.vendor_elementwise "vendor.swish"(%x) fusion = "fast" : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// All operands of an elementwise op share one layout.
// CHECK: error: 'npu.vendor_elementwise' inputs[1]: expected layout NHWC like inputs[0], found NCHW
func.func @f(%x: tensor<1x2x2x2xf32, #npu.layout<NHWC>>, %y: tensor<1x2x2x2xf32, #npu.layout<NCHW>>) {
  %z = npu.vendor_elementwise "vendor.mix"(%x, %y)
    : (tensor<1x2x2x2xf32, #npu.layout<NHWC>>, tensor<1x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x2xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A result of an op in any order has the shape of the data.
// CHECK: error: 'npu.vendor_any_order' outputs[1]: expected shape 2x3, found 3x2
func.func @f(%x: tensor<2x3xf32>) {
  %y, %z = npu.vendor_any_order "vendor.dither"(%x) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>)
  return
}

// -----

/// An op without results says nothing about axes.
// CHECK: error: 'npu.vendor_any_order' outputs: expected at least one result, found none
func.func @f(%x: tensor<2x3xf32>) {
  npu.vendor_any_order "vendor.dither"(%x) : (tensor<2x3xf32>) -> ()
  return
}

// -----

/// A result has the layout of the data.
// CHECK: error: 'npu.vendor_any_order' outputs[0]: expected layout NHWC like data, found NCHW
func.func @f(%x: tensor<1x2x2x2xf32, #npu.layout<NHWC>>) {
  %y = npu.vendor_any_order "vendor.dither"(%x) : (tensor<1x2x2x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x2xf32, #npu.layout<NCHW>>
  return
}

// -----

/// A pool keeps N and C.
// CHECK: error: 'npu.vendor_pool' outputs[0]: expected shape 1x16x4x4, found 1x8x4x4
func.func @f(%x: tensor<1x16x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> : (tensor<1x16x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The layout that the attributes mean has the rank of the data.
// CHECK: error: 'npu.vendor_pool' written_in: expected a layout of class Feature of rank 4, found NCW
func.func @f(%x: tensor<1x16x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.vendor_pool "vendor.pool"(%x) written_in = <NCW> : (tensor<1x16x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The axes of the data have letters.
// CHECK: error: 'npu.vendor_pool' data: expected a layout, in its type or as data_layout, found 1x16x8x8
func.func @f(%x: tensor<1x16x8x8xf32>) {
  %y = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  return
}

// -----

/// An attribute cannot have the name of a property.
// CHECK: error: 'npu.opaque' fusion: expected a property, found an attribute of this name in the dictionary
func.func @f(%x: tensor<4xf32>) {
  %y = npu.opaque "vendor.swish"(%x) {fusion = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

/// The first operand is data, and the others are named once, in their order.
// CHECK: error: 'npu.vendor_any_order' data_operands: expected rising positions of operands from 0 to 1, with 0, found [0, 2]
func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  %z = npu.vendor_any_order "vendor.blend"(%x, %y) data = [0, 2] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// All data has one shape.
// CHECK: error: 'npu.vendor_any_order' parameters[0]: expected shape 2x3, found 3x2
func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  %z = npu.vendor_any_order "vendor.blend"(%x, %y) data = [0, 1] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// RUN: npu-opt %s --split-input-file --describe-ops="target=%S/Inputs/vendor.toml" 2>%t.notes | filecheck %s
// RUN: filecheck %s --check-prefix=NOTE --input-file=%t.notes
// RUN: npu-opt %s --split-input-file --describe-ops="target=%S/Inputs/vendor.toml" --describe-ops="target=%S/Inputs/vendor.toml" 2>%t.again | filecheck %s
// RUN: npu-opt %s --split-input-file --describe-ops | filecheck %s --check-prefix=NOTHING
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/vendor.toml --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=KNOWN
// RUN: npu-opt %s --split-input-file --target=opu --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=UNKNOWN

/// An unknown op between two convolutions costs two transposes; a described one costs none, and is `pure` as the target
/// says. Attributes are kept. The transposes that are left are those of the argument and the result.
// CHECK-LABEL: func.func @between(
// CHECK:         %s = npu.vendor_elementwise "vendor.swish"(%a) pure fusion = "elementwise" {beta = 1.500000e+00 : f32} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
// NOTHING:       %s = npu.opaque "vendor.swish"(%a) {beta = 1.500000e+00 : f32}
// KNOWN:       layout-optimal: 2 transposes, 2048 bytes: proved minimum
// UNKNOWN:     layout-optimal: 4 transposes, 4096 bytes: the least for the ops that were placed, with ops between transposes that nothing moves through: vendor.swish{{$}}
func.func @between(%x: tensor<1x4x8x8xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %s = npu.opaque "vendor.swish"(%a) {beta = 1.5 : f32} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %b = npu.conv2d %s, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %b : tensor<1x4x8x8xf32>
}

// -----

/// The data of an op may be in any order, its parameters stay unchanged. It is not `pure`, and stays so.
// CHECK-LABEL: func.func @any_order(
// CHECK:         %d = npu.vendor_any_order "vendor.dither"(%a, %table) : (tensor<1x4x8x8xf32>, tensor<3x5xf32>) -> tensor<1x4x8x8xf32>
// KNOWN:       layout-optimal: 2 transposes, 2048 bytes: proved minimum
// UNKNOWN:     layout-optimal: 4 transposes, 4096 bytes: the least for the ops that were placed, with ops between transposes that nothing moves through: vendor.dither{{$}}
func.func @any_order(%x: tensor<1x4x8x8xf32>, %k: tensor<4x4x1x1xf32>, %table: tensor<3x5xf32>) -> tensor<1x4x8x8xf32> {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %d = npu.opaque "vendor.dither"(%a, %table) : (tensor<1x4x8x8xf32>, tensor<3x5xf32>) -> tensor<1x4x8x8xf32>
  %b = npu.conv2d %d, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %b : tensor<1x4x8x8xf32>
}

// -----

/// Several operands are data: they are stored in one order, and the parameter between them stays unchanged.
// CHECK-LABEL: func.func @blend(
// CHECK:         %d = npu.vendor_any_order "vendor.blend"(%a, %table, %r) data = [0, 2] pure : (tensor<1x4x8x8xf32>, tensor<3x5xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
// KNOWN:       layout-optimal: 2 transposes, 2048 bytes: proved minimum
// UNKNOWN:     layout-optimal: 4 transposes, 4096 bytes: the least for the ops that were placed, with ops between transposes that nothing moves through: vendor.blend{{$}}
func.func @blend(%x: tensor<1x4x8x8xf32>, %k: tensor<4x4x1x1xf32>, %table: tensor<3x5xf32>) -> tensor<1x4x8x8xf32> {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %r = npu.relu %a : tensor<1x4x8x8xf32>
  %d = npu.opaque "vendor.blend"(%a, %table, %r)
    : (tensor<1x4x8x8xf32>, tensor<3x5xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %b = npu.conv2d %d, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %b : tensor<1x4x8x8xf32>
}

// -----

/// A pool notes the layout that its attributes mean: by default with the channels first, or that of a typed operand.
// CHECK-LABEL: func.func @pools(
// CHECK:         %p = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> data_layout = <NCHW> pure {kernel = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    %r = npu.vendor_pool "vendor.resize"(%y) written_in = <NHWC> data_layout = <NHWC> pure : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
// CHECK-NEXT:    %q = npu.vendor_pool "vendor.pool"(%z) written_in = <CHWN> pure : (tensor<4x8x8x1xf32, #npu.layout<CHWN>>) -> tensor<4x4x4x1xf32, #npu.layout<CHWN>>
func.func @pools(%x: tensor<1x4x8x8xf32>, %y: tensor<1x8x8x4xf32>, %z: tensor<4x8x8x1xf32, #npu.layout<CHWN>>) {
  %p = npu.opaque "vendor.pool"(%x) {kernel = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %r = npu.opaque "vendor.resize"(%y) : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
  %q = npu.opaque "vendor.pool"(%z) : (tensor<4x8x8x1xf32, #npu.layout<CHWN>>) -> tensor<4x4x4x1xf32, #npu.layout<CHWN>>
  return
}

// -----

/// An op can be described as opaque, to say that it is pure. Ops of other names are not changed.
// CHECK-LABEL: func.func @opaque(
// CHECK:         %t = npu.opaque "vendor.table"(%x) pure fusion = "opaque" : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %u = npu.opaque "vendor.other"(%t) : (tensor<4xf32>) -> tensor<4xf32>
func.func @opaque(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = npu.opaque "vendor.table"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %u = npu.opaque "vendor.other"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}

// -----

/// An op that cannot be what the target says stays opaque: by its shapes, its number of results or its layout, because
/// of code inside, or of an attribute with the name of a property.
// CHECK-LABEL: func.func @kept(
// CHECK-COUNT-7: npu.opaque
// CHECK-NOT:     npu.vendor
// NOTE:      note: describe-ops: %a opaque "vendor.swish" stays unchanged, although vendor.toml:20 says 'elementwise': 'npu.vendor_elementwise' result: expected shape 2x3, found 3x2
// NOTE-NEXT: note: describe-ops: %b opaque "vendor.swish" stays unchanged, although vendor.toml:20 says 'elementwise': 'npu.vendor_elementwise' inputs[0]: expected rank 1 like the result, or one element, found 2x3
// NOTE-NEXT: note: describe-ops: %c opaque "vendor.swish" stays unchanged, although vendor.toml:20 says 'elementwise': expected one result, found 2
// NOTE-NEXT: note: describe-ops: %d opaque "vendor.pool" stays unchanged, although vendor.toml:28 says 'pool': 'npu.vendor_pool' data: expected a layout of class Feature, found Tensor
// NOTE-NEXT: note: describe-ops: %e opaque "vendor.pool" stays unchanged, although vendor.toml:28 says 'pool': expected a first operand of rank 3 to 5
// NOTE-NEXT: note: describe-ops: %f opaque "vendor.swish" stays unchanged, although vendor.toml:20 says 'elementwise': it has code inside
// NOTE-NEXT: note: describe-ops: opaque "vendor.dither" stays unchanged, although vendor.toml:25 says 'data in any order, result the same': expected an operand and a result
func.func @kept(%x: tensor<2x3xf32>, %y: tensor<1x4x8x8xf32, #npu.layout<Tensor>>) {
  %a = npu.opaque "vendor.swish"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = npu.opaque "vendor.swish"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  %c, %c1 = npu.opaque "vendor.swish"(%x) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %d = npu.opaque "vendor.pool"(%y) : (tensor<1x4x8x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x4xf32, #npu.layout<Tensor>>
  %e = npu.opaque "vendor.pool"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %f = npu.opaque "vendor.swish"(%x) {body = @kept} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  npu.opaque "vendor.dither"(%x) : (tensor<2x3xf32>) -> ()
  return
}

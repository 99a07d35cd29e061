// RUN: npu-opt %s --layout-transmit --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-transmit=default=NCHW16c --split-input-file | filecheck %s --check-prefix=DEFAULT
// RUN: not npu-opt %s --layout-transmit='default="NCHW16c, C = 24"' 2>&1 | filecheck %s --check-prefix=PADDED

/// Padding belongs to one size.
// PADDED: option default: expected a layout without padding, found NCHW16c, C = 24

/// Letters with blocks are colours like others: they spread forward from types.
// CHECK-LABEL: func.func @forward
// CHECK-SAME:  (%x: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, %b: tensor<1x2x1x1x16xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x4x16xf32, #npu.layout<NCHW16c>> {
// CHECK-NEXT:  %r = npu.relu %x : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %0 = npu.relabel %b : (tensor<1x2x1x1x16xf32, #npu.layout<Tensor>>) -> tensor<1x2x1x1x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %s = npu.add %r, %0 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x1x1x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %c = npu.concat %s, %r axis = 1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x4x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  func.return %c : tensor<1x4x4x4x16xf32, #npu.layout<NCHW16c>>
func.func @forward(%x: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, %b: tensor<1x2x1x1x16xf32>) -> tensor<1x4x4x4x16xf32> {
  %r = npu.relu %x : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x4x4x16xf32>
  %s = npu.add %r, %b : (tensor<1x2x4x4x16xf32>, tensor<1x2x1x1x16xf32>) -> tensor<1x2x4x4x16xf32>
  %c = npu.concat %s, %r axis = 1 : (tensor<1x2x4x4x16xf32>, tensor<1x2x4x4x16xf32>) -> tensor<1x4x4x4x16xf32>
  func.return %c : tensor<1x4x4x4x16xf32>
}

// -----

/// And backward from a convolution, whose types state them; a padded result states its size.
// CHECK-LABEL: func.func @backward
// CHECK-SAME:  (%x: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, %w: tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>> {
// CHECK-NEXT:  %r = npu.relu %x : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %y = npu.conv2d %r, %w : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  func.return %y : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
func.func @backward(%x: tensor<1x2x4x4x16xf32>, %w: tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>> {
  %r = npu.relu %x : (tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
  %y = npu.conv2d %r, %w : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
  func.return %y : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
}

// -----

/// Nothing says a layout here, unless the default does.
// CHECK-LABEL: func.func @open
// CHECK-SAME:  (%x: tensor<1x2x4x4x16xf32, #npu.layout<Tensor>>) -> tensor<1x2x4x4x16xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:  %r = npu.relu %x : tensor<1x2x4x4x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %r : tensor<1x2x4x4x16xf32, #npu.layout<Tensor>>
// DEFAULT-LABEL: func.func @open
// DEFAULT-SAME:  (%x: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>> {
// DEFAULT-NEXT:  %r = npu.relu %x : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// DEFAULT-NEXT:  func.return %r : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
func.func @open(%x: tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32> {
  %r = npu.relu %x : tensor<1x2x4x4x16xf32>
  func.return %r : tensor<1x2x4x4x16xf32>
}

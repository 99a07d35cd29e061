// RUN: npu-opt %s --recognise-windows --split-input-file | filecheck %s
// RUN: npu-opt %s --recognise-windows --recognise-windows --split-input-file | filecheck %s
// RUN: npu-opt %s --recognise-windows --layout-preset --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --check-prefix STAGE

/// Four slices of a padded image in NHWC: rows of windows, with the pads.
// CHECK-LABEL: func.func @sliced(
// CHECK-NEXT:    %0 = npu.img2col %x window = [2, 2] strides = [2, 1] pads = [1, 0, 0, 1] data_layout = <NHWC> : (tensor<1x5x6x3xf32>) -> tensor<1x18x12xf32>
// CHECK-NEXT:    %y = npu.reshape %0 : (tensor<1x18x12xf32>) -> tensor<1x3x6x12xf32>
// CHECK-NEXT:    func.return
// STAGE-LABEL: @sliced
// STAGE:         npu.img2col added to group 0 on pad
func.func @sliced(%x: tensor<1x5x6x3xf32>) -> tensor<1x3x6x12xf32> {
  %p = npu.pad %x low = [0, 1, 0, 0] high = [0, 0, 1, 0] : (tensor<1x5x6x3xf32>) -> tensor<1x6x7x3xf32>
  %a = npu.slice %p starts = [0, 0, 0, 0] limits = [1, 5, 6, 3] steps = [1, 2, 1, 1] : (tensor<1x6x7x3xf32>) -> tensor<1x3x6x3xf32>
  %b = npu.slice %p starts = [0, 0, 1, 0] limits = [1, 5, 7, 3] steps = [1, 2, 1, 1] : (tensor<1x6x7x3xf32>) -> tensor<1x3x6x3xf32>
  %c = npu.slice %p starts = [0, 1, 0, 0] limits = [1, 6, 6, 3] steps = [1, 2, 1, 1] : (tensor<1x6x7x3xf32>) -> tensor<1x3x6x3xf32>
  %d = npu.slice %p starts = [0, 1, 1, 0] limits = [1, 6, 7, 3] steps = [1, 2, 1, 1] : (tensor<1x6x7x3xf32>) -> tensor<1x3x6x3xf32>
  %y = npu.concat %a, %b, %c, %d axis = 3 : (tensor<1x3x6x3xf32>, tensor<1x3x6x3xf32>, tensor<1x3x6x3xf32>, tensor<1x3x6x3xf32>) -> tensor<1x3x6x12xf32>
  func.return %y : tensor<1x3x6x12xf32>
}

// -----

/// The gathers of PyTorch's unfold, with dilated windows of 2x2; what they gather by is gone.
// CHECK-LABEL: func.func @gathered(
// CHECK-NEXT:    %0 = npu.img2col %x window = [2, 2] strides = [1, 2] dilations = [2, 1] data_layout = <NCHW> : (tensor<1x3x4x5xf32>) -> tensor<1x4x12xf32>
// CHECK-NEXT:    %1 = npu.reshape %0 : (tensor<1x4x12xf32>) -> tensor<1x2x2x2x2x3xf32>
// CHECK-NEXT:    %b = npu.transpose %1 permutation = [0, 5, 3, 1, 4, 2] : (tensor<1x2x2x2x2x3xf32>) -> tensor<1x3x2x2x2x2xf32>
// CHECK-NEXT:    func.return
// STAGE-LABEL: @gathered
// STAGE:         npu.img2col added to group 0 on pad
func.func @gathered(%x: tensor<1x3x4x5xf32>) -> tensor<1x3x2x2x2x2xf32> {
  %h = npu.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %w = npu.constant dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  %a = npu.gather %x, %h axis = 2 : (tensor<1x3x4x5xf32>, tensor<2x2xi64>) -> tensor<1x3x2x2x5xf32>
  %b = npu.gather %a, %w axis = 4 : (tensor<1x3x2x2x5xf32>, tensor<2x2xi64>) -> tensor<1x3x2x2x2x2xf32>
  func.return %b : tensor<1x3x2x2x2x2xf32>
}

// -----

/// Zeros behind each element, in NHWC, and behind each column, in NCHW.
// CHECK-LABEL: func.func @spread(
// CHECK-NEXT:    %c = npu.unpool %x window = [2, 3] data_layout = <NHWC> : (tensor<2x3x4x5xf32>) -> tensor<2x6x12x5xf32>
// CHECK-NEXT:    %f = npu.unpool %x window = [1, 2] data_layout = <NCHW> : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x10xf32>
// STAGE-LABEL: @spread
// STAGE:         npu.unpool added to group 0 on upsample
func.func @spread(%x: tensor<2x3x4x5xf32>) -> (tensor<2x6x12x5xf32>, tensor<2x3x4x10xf32>) {
  %a = npu.reshape %x : (tensor<2x3x4x5xf32>) -> tensor<2x3x1x4x1x5xf32>
  %b = npu.pad %a low = [0, 0, 0, 0, 0, 0] high = [0, 0, 1, 0, 2, 0] : (tensor<2x3x1x4x1x5xf32>) -> tensor<2x3x2x4x3x5xf32>
  %c = npu.reshape %b : (tensor<2x3x2x4x3x5xf32>) -> tensor<2x6x12x5xf32>
  %d = npu.reshape %x : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x1x5x1xf32>
  %e = npu.pad %d low = [0, 0, 0, 0, 0, 0] high = [0, 0, 0, 0, 0, 1] : (tensor<2x3x4x1x5x1xf32>) -> tensor<2x3x4x1x5x2xf32>
  %f = npu.reshape %e : (tensor<2x3x4x1x5x2xf32>) -> tensor<2x3x4x10xf32>
  func.return %c, %f : tensor<2x6x12x5xf32>, tensor<2x3x4x10xf32>
}

// -----

/// Repeated elements where a mask is true.
// CHECK-LABEL: func.func @masked(
// CHECK:         %s = npu.mask_unpool %x, %m window = [2, 2] data_layout = <NCHW> : (tensor<1x3x2x2xf32>, tensor<1x3x4x4xi1>) -> tensor<1x3x4x4xf32>
// STAGE-LABEL: @masked
// STAGE:         npu.mask_unpool added to group 0 on upsample
func.func @masked(%x: tensor<1x3x2x2xf32>, %m: tensor<1x3x4x4xi1>) -> tensor<1x3x4x4xf32> {
  %z = npu.constant dense<0.0> : tensor<f32>
  %u = npu.upsample %x factors = [2, 2] data_layout = <NCHW> : (tensor<1x3x2x2xf32>) -> tensor<1x3x4x4xf32>
  %s = npu.select %m, %u, %z : (tensor<1x3x4x4xi1>, tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

// -----

/// MaxUnpool to the places of a MaxPool of its own windows.
// CHECK-LABEL: func.func @unpooled(
// CHECK:         %{{.*}} = npu.sub %i, %{{.*}} : (tensor<1x2x1x2xi64>, tensor<1x2x1x1xi64>) -> tensor<1x2x1x2xi64>
// CHECK:         %{{.*}} = npu.equal
// CHECK-NEXT:    %y = npu.mask_unpool %r, %{{.*}} window = [2, 2] data_layout = <NCHW> : (tensor<1x2x1x2xf32>, tensor<1x2x2x4xi1>) -> tensor<1x2x2x4xf32>
// STAGE-LABEL: @unpooled
// STAGE:         npu.mask_unpool added to group {{.*}} on upsample
func.func @unpooled(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %p, %i = npu.opaque "onnx.MaxPool"(%x) pure {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x2x4xf32>) -> (tensor<1x2x1x2xf32>, tensor<1x2x1x2xi64>)
  %r = npu.relu %p : tensor<1x2x1x2xf32>
  %y = npu.opaque "onnx.MaxUnpool"(%r, %i) pure {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xi64>) -> tensor<1x2x2x4xf32>
  func.return %y : tensor<1x2x2x4xf32>
}

// -----

/// Slices in another order or of another place, one with another user, matrices of no window, pads with ones, a mask of one
/// channel, and places that are an argument stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     npu.img2col
// CHECK-NOT:     unpool %
// CHECK:         func.return
func.func @others(%x: tensor<1x4x4x3xf32>, %m: tensor<1x1x8x6xi1>, %i: tensor<1x4x4x3xi64>) -> (tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>, tensor<1x4x3x3xf32>, tensor<1x4x2x2x3x2xf32>, tensor<1x8x4x3xf32>, tensor<1x4x8x6xf32>, tensor<1x4x8x6xf32>) {
  %a = npu.slice %x starts = [0, 0, 0, 0] limits = [1, 4, 3, 3] : (tensor<1x4x4x3xf32>) -> tensor<1x4x3x3xf32>
  %b = npu.slice %x starts = [0, 0, 1, 0] limits = [1, 4, 4, 3] : (tensor<1x4x4x3xf32>) -> tensor<1x4x3x3xf32>
  %c = npu.concat %b, %a axis = 3 : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x6xf32>
  %d = npu.slice %x starts = [0, 0, 1, 0] limits = [1, 4, 4, 3] : (tensor<1x4x4x3xf32>) -> tensor<1x4x3x3xf32>
  %e = npu.slice %x starts = [0, 0, 1, 0] limits = [1, 4, 4, 3] : (tensor<1x4x4x3xf32>) -> tensor<1x4x3x3xf32>
  %f = npu.concat %d, %e axis = 3 : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x6xf32>
  %g = npu.slice %x starts = [0, 0, 0, 0] limits = [1, 4, 3, 3] : (tensor<1x4x4x3xf32>) -> tensor<1x4x3x3xf32>
  %h = npu.slice %x starts = [0, 0, 1, 0] limits = [1, 4, 4, 3] : (tensor<1x4x4x3xf32>) -> tensor<1x4x3x3xf32>
  %j = npu.concat %g, %h axis = 3 : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x6xf32>
  %k = npu.constant dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>
  %n = npu.gather %x, %k axis = 2 : (tensor<1x4x4x3xf32>, tensor<2x2xi64>) -> tensor<1x4x2x2x3xf32>
  %w = npu.constant dense<[[0, 1], [1, 2], [0, 2]]> : tensor<3x2xi64>
  %o = npu.gather %n, %w axis = 4 : (tensor<1x4x2x2x3xf32>, tensor<3x2xi64>) -> tensor<1x4x2x2x3x2xf32>
  %q = npu.reshape %x : (tensor<1x4x4x3xf32>) -> tensor<1x4x1x4x1x3xf32>
  %r = npu.pad %q low = [0, 0, 0, 0, 0, 0] high = [0, 0, 1, 0, 0, 0] value = 1.0 : (tensor<1x4x1x4x1x3xf32>) -> tensor<1x4x2x4x1x3xf32>
  %s = npu.reshape %r : (tensor<1x4x2x4x1x3xf32>) -> tensor<1x8x4x3xf32>
  %z = npu.constant dense<0.0> : tensor<f32>
  %t = npu.upsample %x factors = [2, 2] data_layout = <NCHW> : (tensor<1x4x4x3xf32>) -> tensor<1x4x8x6xf32>
  %u = npu.select %m, %t, %z : (tensor<1x1x8x6xi1>, tensor<1x4x8x6xf32>, tensor<f32>) -> tensor<1x4x8x6xf32>
  %v = npu.opaque "onnx.MaxUnpool"(%x, %i) pure {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xi64>) -> tensor<1x4x8x6xf32>
  func.return %c, %f, %j, %h, %o, %s, %u, %v : tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>, tensor<1x4x3x3xf32>, tensor<1x4x2x2x3x2xf32>, tensor<1x8x4x3xf32>, tensor<1x4x8x6xf32>, tensor<1x4x8x6xf32>
}

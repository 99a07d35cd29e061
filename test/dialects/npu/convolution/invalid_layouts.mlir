// RUN: NPU_VERIFY_DIAG

/// Images have rank 4.
// CHECK: error: 'npu.conv2d' data: expected rank 4, found 1x8x16
func.func @f(%x: tensor<1x8x16xf32, #npu.layout<NWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x16xf32, #npu.layout<NWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// So have their kernels.
// CHECK: error: 'npu.conv2d' kernel: expected rank 4, found 3x32x16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x32x16xf32, #npu.layout<WOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x32x16xf32, #npu.layout<WOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// And the result.
// CHECK: error: 'npu.conv2d' result: expected rank 4, found 1x6x32
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x32xf32, #npu.layout<NWC>>
  return
}

// -----

/// 1-D data has rank 3.
// CHECK: error: 'npu.conv1d' data: expected rank 3, found 1x8x8x16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv1d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A volume has rank 5.
// CHECK: error: 'npu.conv3d' data: expected rank 5, found 1x8x8x16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv3d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The layout of the data is unknown.
// CHECK: error: 'npu.conv2d' data: expected a layout, in its type or as data_layout, found 1x16x8x8
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w kernel_layout = <OIHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  return
}

// -----

/// The layout of the kernel is unknown.
// CHECK: error: 'npu.conv2d' kernel: expected a layout, in its type or as kernel_layout, found 32x16x3x3
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w data_layout = <NCHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  return
}

// -----

/// The layout of a coloured result is not that of the data.
// CHECK: error: 'npu.conv2d' data: expected a layout, in its type or as data_layout, found 1x8x8x16
func.func @f(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Type and attribute contradict each other.
// CHECK: error: 'npu.conv2d' data_layout: expected NHWC like the type of data, found NCHW
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w data_layout = <NCHW>
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Type and attribute of the kernel contradict each other.
// CHECK: error: 'npu.conv2d' kernel_layout: expected HWOI like the type of kernel, found OIHW
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w kernel_layout = <OIHW>
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The declared layout is one of another rank.
// CHECK: error: 'npu.conv2d' data_layout: expected a layout that fits data, found layout NCW is of rank 3, the tensor of rank 4
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w data_layout = <NCW> kernel_layout = <OIHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  return
}

// -----

/// The declared layout of the kernel is one of another rank.
// CHECK: error: 'npu.conv2d' kernel_layout: expected a layout that fits kernel, found layout OIDHW is of rank 5, the tensor of rank 4
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIDHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  return
}

// -----

/// The data is not a kernel.
// CHECK: error: 'npu.conv2d' data: expected a layout of class Feature, found OHWI
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<OHWI>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<OHWI>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The data is declared to have no letters.
// CHECK: error: 'npu.conv2d' data_layout: expected a layout of class Feature, found Tensor
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w data_layout = <Tensor> kernel_layout = <OIHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  return
}

// -----

/// The kernel is not a feature map.
// CHECK: error: 'npu.conv2d' kernel: expected a layout of class Weight, found NHWC
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel is declared to be a feature map.
// CHECK: error: 'npu.conv2d' kernel_layout: expected a layout of class Weight, found NCHW
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <NCHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  return
}

// -----

/// The result has the order of the data.
// CHECK: error: 'npu.conv2d' result: expected layout NHWC like data, found NCHW
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x32x6x6xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The result has the order of the data, also where the sizes do not show it.
// CHECK: error: 'npu.conv2d' result: expected layout NHWC like data, found NCHW
func.func @f(%x: tensor<4x4x4x4xf32, #npu.layout<NHWC>>, %w: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NCHW>>
  return
}

// -----

/// A result of one element is no exception.
// CHECK: error: 'npu.conv2d' result: expected layout NHWC like data, found NCHW
func.func @f(%x: tensor<1x1x1x1xf32, #npu.layout<NHWC>>, %w: tensor<1x1x1x1xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x1x1x1xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x1xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The declared layout counts for the result.
// CHECK: error: 'npu.conv2d' result: expected layout NCHW like data, found NHWC
func.func @f(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>) {
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

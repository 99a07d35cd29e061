// RUN: npu-opt %s --target=%S/Inputs/no_views.toml --layout-optimal --stats --fuse-ops-hw="strategy=cover dump=groups annotate=true" --split-input-file 2>%t -o - | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=REPORT < %t

/// Reshapes are not free, but one that only moves axes of one element replaces a transpose that moves nothing, and moves
/// nothing either; neither does a reshape of a constant.
// CHECK-LABEL: func.func @one_channel
// CHECK-NEXT:    %x_1 = npu.reshape %x {npu.group = 0 : i64} : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %k = npu.constant {npu.group = 0 : i64} dense<1.250000e-01> : tensor<1x1x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %k_1 = npu.reshape %k {npu.group = 0 : i64} : (tensor<1x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x1x1xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %c = npu.conv2d %x_1, %k_1 pads = [1, 1, 1, 1] {npu.group = 0 : i64} : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>, tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c_1 = npu.reshape %c : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>) -> tensor<1x1x4x6xf32, #npu.layout<NCHW>>
// REPORT:      layout-optimal: 0 transposes (0 absorbed), 0 bytes, 192 bytes travel: proved minimum
// REPORT:      bytes that travel: 192: proved minimum
func.func @one_channel(%x: tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xf32> {
  %k = npu.constant dense<0.125> : tensor<1x1x3x3xf32>
  %c = npu.conv2d %x, %k pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x1x4x6xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x6xf32>
  func.return %c : tensor<1x1x4x6xf32>
}

// -----

/// A reshape that the program has takes its round: it reads and writes 96 bytes.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %r = npu.relu %x {npu.group = 0 : i64} : tensor<1x1x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %f = npu.reshape %r : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<24xf32, #npu.layout<Tensor>>
// REPORT:      layout-optimal: 0 transposes (0 absorbed), 0 bytes, 384 bytes travel: proved minimum
// REPORT:      bytes that travel: 384: proved minimum
func.func @rows(%x: tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<24xf32> {
  %r = npu.relu %x : tensor<1x1x4x6xf32, #npu.layout<NCHW>>
  %f = npu.reshape %r : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<24xf32>
  func.return %f : tensor<24xf32>
}

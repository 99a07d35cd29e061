// RUN: npu-opt %s --npu-default --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset --canonicalize --fuse-ops-hw --split-input-file | filecheck %s
// RUN: npu-opt %s --npu-default --npu-default --split-input-file | filecheck %s
// RUN: npu-opt %s --npu-default --target=plover --split-input-file | filecheck %s --check-prefix=PLOVER

/// Transposes where the features come in and go out, the constants as they are read, and one pass through the hardware.
/// The second target transposes on the way, so its transposes are in the group.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up = func.call @fused_conv2d_relu_upsample(%x_1) : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up_1 = npu.transpose %up permutation = [0, 3, 1, 2] : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %up_1 : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// CHECK-LABEL: func.func private @fused_conv2d_relu_upsample
// CHECK-SAME:    (%x: tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>> attributes {npu.primitive} {
// CHECK-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %conv : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up = npu.upsample %relu factors = [2, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %up : tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// PLOVER-LABEL: func.func @main
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %relu = func.call @fused_conv2d_relu_transpose(%x) : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    %up = func.call @fused_upsample_transpose(%relu) : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %up : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func private @fused_conv2d_relu_transpose
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>> attributes {npu.primitive} {
// PLOVER-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// PLOVER-NEXT:    %conv = npu.conv2d %x, %k : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %relu = npu.relu %conv : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    func.return %relu_1 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLOVER-LABEL: func.func private @fused_upsample_transpose
// PLOVER-SAME:    (%relu: tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> attributes {npu.primitive} {
// PLOVER-NEXT:    %up = npu.upsample %relu factors = [2, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    %up_1 = npu.transpose %up permutation = [0, 3, 1, 2] : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %up_1 : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
func.func @main(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %k
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %relu = npu.relu %conv : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %up = npu.upsample %relu factors = [2, 2]
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
  func.return %up : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// A transpose of axes of one element becomes a reshape, and is not moved when the pass runs again.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x4x1x1xf32, #npu.layout<NHWC>>, %k: tensor<1x1x1x1xf32, #npu.layout<HWOI>>) -> (tensor<1x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %conv = npu.conv2d %x, %k : (tensor<1x4x1x1xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x4x1x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %turned = npu.reshape %conv : (tensor<1x4x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %exp = npu.exp %conv : tensor<1x4x1x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %turned, %exp : tensor<1x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>
// PLOVER-LABEL: func.func @main
// PLOVER-SAME:    (%x: tensor<1x4x1x1xf32, #npu.layout<NHWC>>, %k: tensor<1x1x1x1xf32, #npu.layout<HWOI>>) -> (tensor<1x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>) {
// PLOVER-NEXT:    %x_1 = npu.reshape %x : (tensor<1x4x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x1x4x1xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %k_1 = npu.relabel %k : (tensor<1x1x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x1xf32, #npu.layout<OIHW>>
// PLOVER-NEXT:    %conv = npu.conv2d %x_1, %k_1 : (tensor<1x1x4x1xf32, #npu.layout<NCHW>>, tensor<1x1x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x1xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %turned = npu.reshape %conv : (tensor<1x1x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x4xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %exp = npu.exp %conv : tensor<1x1x4x1xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %exp_1 = npu.reshape %exp : (tensor<1x1x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x1xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    func.return %turned, %exp_1 : tensor<1x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>
func.func @main(%x: tensor<1x4x1x1xf32, #npu.layout<NHWC>>, %k: tensor<1x1x1x1xf32, #npu.layout<HWOI>>)
    -> (tensor<1x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>) {
  %conv = npu.conv2d %x, %k
    : (tensor<1x4x1x1xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x1x1xf32, #npu.layout<NHWC>>
  %turned = npu.transpose %conv permutation = [0, 3, 2, 1]
    : (tensor<1x4x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf32, #npu.layout<NCHW>>
  %exp = npu.exp %conv : tensor<1x4x1x1xf32, #npu.layout<NHWC>>
  func.return %turned, %exp : tensor<1x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>
}

// -----

/// Two reshapes become one at the position of the first, and it is not moved when the pass runs again.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x0x3x2xf32, #npu.layout<NHWC>>, %k: tensor<1x1x4x2xf32, #npu.layout<HWOI>>) -> (tensor<0x2x3xf32, #npu.layout<NCW>>, tensor<1x0x3x4xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %wide = npu.reshape %x : (tensor<1x0x3x2xf32, #npu.layout<NHWC>>) -> tensor<0x2x3xf32, #npu.layout<NCW>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %k : (tensor<1x0x3x2xf32, #npu.layout<NHWC>>, tensor<1x1x4x2xf32, #npu.layout<HWOI>>) -> tensor<1x0x3x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %wide, %conv : tensor<0x2x3xf32, #npu.layout<NCW>>, tensor<1x0x3x4xf32, #npu.layout<NHWC>>
// PLOVER-LABEL: func.func @main
// PLOVER-SAME:    (%x: tensor<1x0x3x2xf32, #npu.layout<NHWC>>, %k: tensor<1x1x4x2xf32, #npu.layout<HWOI>>) -> (tensor<0x2x3xf32, #npu.layout<NCW>>, tensor<1x0x3x4xf32, #npu.layout<NHWC>>) {
// PLOVER-NEXT:    %x_1 = npu.reshape %x : (tensor<1x0x3x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x0x3xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %k_1 = npu.reshape %k : (tensor<1x1x4x2xf32, #npu.layout<HWOI>>) -> tensor<4x2x1x1xf32, #npu.layout<OIHW>>
// PLOVER-NEXT:    %wide = npu.reshape %x : (tensor<1x0x3x2xf32, #npu.layout<NHWC>>) -> tensor<0x2x3xf32, #npu.layout<NCW>>
// PLOVER-NEXT:    %conv = npu.conv2d %x_1, %k_1 : (tensor<1x2x0x3xf32, #npu.layout<NCHW>>, tensor<4x2x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x0x3xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %conv_1 = npu.reshape %conv : (tensor<1x4x0x3xf32, #npu.layout<NCHW>>) -> tensor<1x0x3x4xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    func.return %wide, %conv_1 : tensor<0x2x3xf32, #npu.layout<NCW>>, tensor<1x0x3x4xf32, #npu.layout<NHWC>>
func.func @main(%x: tensor<1x0x3x2xf32, #npu.layout<NHWC>>, %k: tensor<1x1x4x2xf32, #npu.layout<HWOI>>)
    -> (tensor<0x2x3xf32, #npu.layout<NCW>>, tensor<1x0x3x4xf32, #npu.layout<NHWC>>) {
  %flat = npu.reshape %x : (tensor<1x0x3x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x0xf32, #npu.layout<Tensor>>
  %wide = npu.reshape %flat : (tensor<1x2x0xf32, #npu.layout<Tensor>>) -> tensor<0x2x3xf32, #npu.layout<NCW>>
  %conv = npu.conv2d %x, %k
    : (tensor<1x0x3x2xf32, #npu.layout<NHWC>>, tensor<1x1x4x2xf32, #npu.layout<HWOI>>)
    -> tensor<1x0x3x4xf32, #npu.layout<NHWC>>
  func.return %wide, %conv : tensor<0x2x3xf32, #npu.layout<NCW>>, tensor<1x0x3x4xf32, #npu.layout<NHWC>>
}

// RUN: npu-opt %s --fuse-ops-hw --split-input-file | filecheck %s
// RUN: npu-opt %s --fuse-ops-hw --fuse-ops-hw --split-input-file | filecheck %s

/// One pass through the hardware, from concat to upsample; constants come along.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%a: tensor<1x8x4x4xf32>, %b: tensor<1x8x4x4xf32>, %r: tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32> {
// CHECK-NEXT:    %up = func.call @fused_concat_conv2d_add_relu_max_pool_add_upsample(%a, %b, %r) : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32>
// CHECK-NEXT:    func.return %up : tensor<1x16x4x4xf32>
// CHECK-LABEL: func.func private @fused_concat_conv2d_add_relu_max_pool_add_upsample
// CHECK-SAME:    (%a: tensor<1x8x4x4xf32>, %b: tensor<1x8x4x4xf32>, %r: tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<16x16x1x1xf32>
// CHECK-NEXT:    %bias = npu.constant dense<2.500000e-01> : tensor<1x16x1x1xf32>
// CHECK-NEXT:    %c = npu.concat %a, %b axis = 1 : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x16x4x4xf32>
// CHECK-NEXT:    %conv = npu.conv2d %c, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
// CHECK-NEXT:    %add = npu.add %conv, %bias : (tensor<1x16x4x4xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x4x4xf32>
// CHECK-NEXT:    %relu = npu.relu %add : tensor<1x16x4x4xf32>
// CHECK-NEXT:    %pool = npu.max_pool %relu window = [2, 2] strides = [2, 2] data_layout = <NCHW> : (tensor<1x16x4x4xf32>) -> tensor<1x16x2x2xf32>
// CHECK-NEXT:    %res = npu.add %pool, %r : tensor<1x16x2x2xf32>
// CHECK-NEXT:    %up = npu.upsample %res factors = [2, 2] data_layout = <NCHW> : (tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32>
// CHECK-NEXT:    func.return %up : tensor<1x16x4x4xf32>
func.func @main(%a: tensor<1x8x4x4xf32>, %b: tensor<1x8x4x4xf32>, %r: tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<16x16x1x1xf32>
  %bias = npu.constant dense<0.25> : tensor<1x16x1x1xf32>
  %c = npu.concat %a, %b axis = 1 : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x16x4x4xf32>
  %conv = npu.conv2d %c, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %add = npu.add %conv, %bias : (tensor<1x16x4x4xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %relu = npu.relu %add : tensor<1x16x4x4xf32>
  %pool = npu.max_pool %relu window = [2, 2] strides = [2, 2] data_layout = <NCHW> : (tensor<1x16x4x4xf32>) -> tensor<1x16x2x2xf32>
  %res = npu.add %pool, %r : tensor<1x16x2x2xf32>
  %up = npu.upsample %res factors = [2, 2] data_layout = <NCHW> : (tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32>
  func.return %up : tensor<1x16x4x4xf32>
}

// -----

/// The data-flow has one pad, so the second one begins a second group.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32>) -> tensor<1x4x8x8xf32> {
// CHECK-NEXT:    %relu = func.call @fused_pad_relu(%x) : (tensor<1x4x6x6xf32>) -> tensor<1x4x8x6xf32>
// CHECK-NEXT:    %clip = func.call @fused_pad_relu_1(%relu) : (tensor<1x4x8x6xf32>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT:    func.return %clip : tensor<1x4x8x8xf32>
// CHECK-LABEL: func.func private @fused_pad_relu
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32>) -> tensor<1x4x8x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.pad %x low = [0, 0, 1, 0] high = [0, 0, 1, 0] : (tensor<1x4x6x6xf32>) -> tensor<1x4x8x6xf32>
// CHECK-NEXT:    %relu = npu.relu %a : tensor<1x4x8x6xf32>
// CHECK-NEXT:    func.return %relu : tensor<1x4x8x6xf32>
// CHECK-LABEL: func.func private @fused_pad_relu_1
// CHECK-SAME:    (%relu: tensor<1x4x8x6xf32>) -> tensor<1x4x8x8xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %b = npu.pad %relu low = [0, 0, 0, 1] high = [0, 0, 0, 1] : (tensor<1x4x8x6xf32>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT:    %clip = npu.relu %b : tensor<1x4x8x8xf32>
// CHECK-NEXT:    func.return %clip : tensor<1x4x8x8xf32>
func.func @main(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x8x8xf32> {
  %a = npu.pad %x low = [0, 0, 1, 0] high = [0, 0, 1, 0] : (tensor<1x4x6x6xf32>) -> tensor<1x4x8x6xf32>
  %relu = npu.relu %a : tensor<1x4x8x6xf32>
  %b = npu.pad %relu low = [0, 0, 0, 1] high = [0, 0, 0, 1] : (tensor<1x4x8x6xf32>) -> tensor<1x4x8x8xf32>
  %clip = npu.relu %b : tensor<1x4x8x8xf32>
  func.return %clip : tensor<1x4x8x8xf32>
}

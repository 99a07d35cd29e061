// RUN: npu-opt %s --fuse-ops-hw="annotate=true" --split-input-file | filecheck %s
// RUN: npu-opt %s --fuse-ops-hw="annotate=true" --fuse-ops-hw="annotate=true" --split-input-file | filecheck %s

/// A program without layouts is grouped by those that layout-transmit would give, and keeps its types: %row is no constant for each channel, so that no stage runs the addition; %bias is one.
// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
// CHECK-NEXT:    %k = npu.constant {npu.group = 0 : i64} dense<5.000000e-01> : tensor<8x8x1x1xf32>
// CHECK-NEXT:    %row = npu.constant dense<[[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00], [5.000000e+00], [6.000000e+00], [7.000000e+00], [8.000000e+00]]]]> : tensor<1x1x8x1xf32>
// CHECK-NEXT:    %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> {npu.group = 0 : i64} : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
// CHECK-NEXT:    %a = npu.add %c, %row : (tensor<1x8x8x8xf32>, tensor<1x1x8x1xf32>) -> tensor<1x8x8x8xf32>
// CHECK-NEXT:    %r = npu.relu %a {npu.group = 1 : i64} : tensor<1x8x8x8xf32>
// CHECK-NEXT:    func.return %r : tensor<1x8x8x8xf32>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func @channel(
// CHECK-SAME:    %x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
// CHECK-NEXT:    %k = npu.constant {npu.group = 0 : i64} dense<5.000000e-01> : tensor<8x8x1x1xf32>
// CHECK-NEXT:    %bias = npu.constant {npu.group = 0 : i64} dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]], [[8.000000e+00]]]]> : tensor<1x8x1x1xf32>
// CHECK-NEXT:    %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> {npu.group = 0 : i64} : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
// CHECK-NEXT:    %a = npu.add %c, %bias {npu.group = 0 : i64} : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32>
// CHECK-NEXT:    %r = npu.relu %a {npu.group = 0 : i64} : tensor<1x8x8x8xf32>
// CHECK-NEXT:    func.return %r : tensor<1x8x8x8xf32>
// CHECK-NEXT:  }
func.func @row(%x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %row = npu.constant dense<[[[[1.0],[2.0],[3.0],[4.0],[5.0],[6.0],[7.0],[8.0]]]]> : tensor<1x1x8x1xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %a = npu.add %c, %row : (tensor<1x8x8x8xf32>, tensor<1x1x8x1xf32>) -> tensor<1x8x8x8xf32>
  %r = npu.relu %a : tensor<1x8x8x8xf32>
  func.return %r : tensor<1x8x8x8xf32>
}
func.func @channel(%x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %bias = npu.constant dense<[[[[1.0]],[[2.0]],[[3.0]],[[4.0]],[[5.0]],[[6.0]],[[7.0]],[[8.0]]]]> : tensor<1x8x1x1xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %a = npu.add %c, %bias : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %r = npu.relu %a : tensor<1x8x8x8xf32>
  func.return %r : tensor<1x8x8x8xf32>
}

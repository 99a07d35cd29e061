// RUN: npu-opt %s --recognise-turns --split-input-file | filecheck %s
// RUN: npu-opt %s --recognise-turns --layout-preset --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --check-prefix STAGE

/// Images in NCHW, turned both ways; the reverse may be in front of the transpose or behind it.
// CHECK-LABEL: func.func @nchw(
// CHECK-NEXT:    %b = npu.rotate %x turns = 1 data_layout = <NCHW> : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
// CHECK-NEXT:    %d = npu.rotate %x turns = 3 data_layout = <NCHW> : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
// CHECK-NEXT:    %f = npu.rotate %x turns = 1 data_layout = <NCHW> : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
// CHECK-NEXT:    %h = npu.rotate %x turns = 3 data_layout = <NCHW> : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
// STAGE-LABEL: @nchw
// STAGE:         npu.rotate added to group 0 on upsample
func.func @nchw(%x: tensor<1x3x4x6xf32>) -> (tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>) {
  %a = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  %b = npu.reverse %a axes = [2] : tensor<1x3x6x4xf32>
  %c = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  %d = npu.reverse %c axes = [3] : tensor<1x3x6x4xf32>
  %e = npu.reverse %x axes = [3] : tensor<1x3x4x6xf32>
  %f = npu.transpose %e permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  %g = npu.reverse %x axes = [2] : tensor<1x3x4x6xf32>
  %h = npu.transpose %g permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  func.return %b, %d, %f, %h : tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>
}

// -----

/// Images in NHWC.
// CHECK-LABEL: func.func @nhwc(
// CHECK-NEXT:    %b = npu.rotate %x turns = 1 data_layout = <NHWC> : (tensor<1x4x6x3xf32>) -> tensor<1x6x4x3xf32>
func.func @nhwc(%x: tensor<1x4x6x3xf32>) -> tensor<1x6x4x3xf32> {
  %a = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x4x6x3xf32>) -> tensor<1x6x4x3xf32>
  %b = npu.reverse %a axes = [1] : tensor<1x6x4x3xf32>
  func.return %b : tensor<1x6x4x3xf32>
}

// -----

/// A reverse along another axis, one along both, a transpose of other axes, and a transpose with another user stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     npu.rotate
func.func @others(%x: tensor<1x3x4x6xf32>) -> (tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>, tensor<1x4x6x3xf32>, tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>) {
  %a = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  %b = npu.reverse %a axes = [1] : tensor<1x3x6x4xf32>
  %c = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  %d = npu.reverse %c axes = [2, 3] : tensor<1x3x6x4xf32>
  %e = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x4x6xf32>) -> tensor<1x4x6x3xf32>
  %f = npu.reverse %e axes = [2] : tensor<1x4x6x3xf32>
  %g = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  %h = npu.reverse %g axes = [2] : tensor<1x3x6x4xf32>
  func.return %b, %d, %f, %g, %h : tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>, tensor<1x4x6x3xf32>, tensor<1x3x6x4xf32>, tensor<1x3x6x4xf32>
}

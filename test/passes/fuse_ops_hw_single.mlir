// RUN: npu-opt %s --fuse-ops-hw --split-input-file | filecheck %s --check-prefix MANY
// RUN: npu-opt %s --fuse-ops-hw="single=true" --inline-fused --split-input-file | filecheck %s --check-prefix MANY
// RUN: npu-opt %s --fuse-ops-hw="single=true" --split-input-file | filecheck %s --check-prefix SINGLE
// RUN: npu-opt %s --fuse-ops-hw="single=true" --fuse-ops-hw="single=true" --split-input-file | filecheck %s --check-prefix SINGLE
// RUN: npu-opt %s --fuse-ops-hw="annotate=true" --split-input-file | filecheck %s --check-prefix NUMBER

/// No stage runs the softmax. The relu is a group of one op: with `single` a function, and with a number where groups are only numbered.
// MANY-LABEL: func.func @single(
// MANY-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
// MANY-NEXT:    %r = npu.relu %x : tensor<1x8xf32>
// MANY-NEXT:    %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
// MANY-NEXT:    func.return %s : tensor<1x8xf32>
// MANY-NEXT:  }
// SINGLE-LABEL: func.func @single(
// SINGLE-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
// SINGLE-NEXT:    %r = func.call @fused_relu(%x) : (tensor<1x8xf32>) -> tensor<1x8xf32>
// SINGLE-NEXT:    %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
// SINGLE-NEXT:    func.return %s : tensor<1x8xf32>
// SINGLE-NEXT:  }
// SINGLE-LABEL: func.func private @fused_relu(
// SINGLE-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> attributes {npu.primitive} {
// SINGLE-NEXT:    %r = npu.relu %x : tensor<1x8xf32>
// SINGLE-NEXT:    func.return %r : tensor<1x8xf32>
// SINGLE-NEXT:  }
// NUMBER-LABEL: func.func @single(
// NUMBER-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
// NUMBER-NEXT:    %r = npu.relu %x {npu.group = 0 : i64} : tensor<1x8xf32>
// NUMBER-NEXT:    %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
// NUMBER-NEXT:    func.return %s : tensor<1x8xf32>
// NUMBER-NEXT:  }
func.func @single(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = npu.relu %x : tensor<1x8xf32>
  %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
  func.return %s : tensor<1x8xf32>
}

// -----

/// A fused function hides no layouts: only the body of @fused_conv2d makes features NHWC, where %row is no constant for each channel. So a second run changes nothing.
// MANY-LABEL: func.func @twice(
// MANY-SAME:    %x: tensor<2x4x2x3xf32>, %k: tensor<1x2x2x3xf32>) -> (tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>) {
// MANY-NEXT:    %row = npu.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]]]]> : tensor<1x4x1x1xf32>
// MANY-NEXT:    %a = npu.clip %x min = -1.000000e+00 : tensor<2x4x2x3xf32>
// MANY-NEXT:    %c = npu.conv2d %a, %k data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<2x4x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<2x3x1x1xf32>
// MANY-NEXT:    %d = npu.add %a, %row : (tensor<2x4x2x3xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x2x3xf32>
// MANY-NEXT:    func.return %c, %d : tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>
// MANY-NEXT:  }
// SINGLE-LABEL: func.func @twice(
// SINGLE-SAME:    %x: tensor<2x4x2x3xf32>, %k: tensor<1x2x2x3xf32>) -> (tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>) {
// SINGLE-NEXT:    %row = npu.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]]]]> : tensor<1x4x1x1xf32>
// SINGLE-NEXT:    %a = func.call @fused_clip(%x) : (tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
// SINGLE-NEXT:    %c = func.call @fused_conv2d(%a, %k) : (tensor<2x4x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<2x3x1x1xf32>
// SINGLE-NEXT:    %d = npu.add %a, %row : (tensor<2x4x2x3xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x2x3xf32>
// SINGLE-NEXT:    func.return %c, %d : tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>
// SINGLE-NEXT:  }
// SINGLE-LABEL: func.func private @fused_clip(
// SINGLE-SAME:    %x: tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32> attributes {npu.primitive} {
// SINGLE-NEXT:    %a = npu.clip %x min = -1.000000e+00 : tensor<2x4x2x3xf32>
// SINGLE-NEXT:    func.return %a : tensor<2x4x2x3xf32>
// SINGLE-NEXT:  }
// SINGLE-LABEL: func.func private @fused_conv2d(
// SINGLE-SAME:    %a: tensor<2x4x2x3xf32>, %k: tensor<1x2x2x3xf32>) -> tensor<2x3x1x1xf32> attributes {npu.primitive} {
// SINGLE-NEXT:    %c = npu.conv2d %a, %k data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<2x4x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<2x3x1x1xf32>
// SINGLE-NEXT:    func.return %c : tensor<2x3x1x1xf32>
// SINGLE-NEXT:  }
// NUMBER-LABEL: func.func @twice(
// NUMBER-SAME:    %x: tensor<2x4x2x3xf32>, %k: tensor<1x2x2x3xf32>) -> (tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>) {
// NUMBER-NEXT:    %row = npu.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]]]]> : tensor<1x4x1x1xf32>
// NUMBER-NEXT:    %a = npu.clip %x min = -1.000000e+00 {npu.group = 0 : i64} : tensor<2x4x2x3xf32>
// NUMBER-NEXT:    %c = npu.conv2d %a, %k data_layout = <NHWC> kernel_layout = <OHWI> {npu.group = 1 : i64} : (tensor<2x4x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<2x3x1x1xf32>
// NUMBER-NEXT:    %d = npu.add %a, %row : (tensor<2x4x2x3xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x2x3xf32>
// NUMBER-NEXT:    func.return %c, %d : tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>
// NUMBER-NEXT:  }
func.func @twice(%x: tensor<2x4x2x3xf32>, %k: tensor<1x2x2x3xf32>) -> (tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>) {
  %row = npu.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32>
  %a = npu.clip %x min = -1.0 : tensor<2x4x2x3xf32>
  %c = npu.conv2d %a, %k data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<2x4x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<2x3x1x1xf32>
  %d = npu.add %a, %row : (tensor<2x4x2x3xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x2x3xf32>
  func.return %c, %d : tensor<2x3x1x1xf32>, tensor<2x4x2x3xf32>
}

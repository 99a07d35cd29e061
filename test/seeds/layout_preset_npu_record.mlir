// RUN: npu-opt %s --layout-preset-npu="strategy=record" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --layout-preset-npu="strategy=record" --split-input-file | filecheck %s

/// Seed layout-preset-to-npu, 记录插入点位置统一插入, the figure: input, node, output. A transpose behind the input and one in front of the output, whether the node demands them or not.
// CHECK-LABEL: func.func @figure(
// CHECK-SAME:    %input: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %input_1 = npu.transpose %input permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node = npu.relu %input_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node_1 = npu.transpose %node permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %node_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @figure(%input: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %node = npu.relu %input : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %node : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 记录插入点位置统一插入: all inputs with a CNN layout are transposed, in argument order, features to NHWC and weights to HWOI; constants right after themselves.
// CHECK-LABEL: func.func @inputs(
// CHECK-SAME:    %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.constant dense<5.000000e-01> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %conv, %c_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last = npu.add %sum, %y_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %tensor = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %last_1 = npu.transpose %last permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %last_1, %tensor : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @inputs(%w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %c = npu.constant dense<0.5> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %x, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.add %conv, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %last = npu.add %sum, %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %tensor = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %last, %tensor : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// A constant is a point whatever reads it; what reads it in its own order gets it back, right after the constant as well.
// CHECK-LABEL: func.func @constant(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %c = npu.constant dense<5.000000e-01> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c_2 = npu.transpose %c_1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.reshape %c_2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %flat : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @constant(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
  %c = npu.constant dense<0.5> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %flat = npu.reshape %c : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  return %a, %flat : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset-to-npu, 记录插入点位置统一插入: an op from Tensor to CNN cannot infer its layout from what is in front of it, so it is a point of its own, transposed right after it.
// CHECK-LABEL: func.func @tensor_cnn(
// CHECK-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %reshape = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %reshape_1 = npu.transpose %reshape permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.tanh %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %conv = npu.conv2d %reshape_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @tensor_cnn(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.tanh %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %reshape, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset-to-npu, 存在的问题 3, a fault of the seed: it does nothing for an op from CNN to Tensor, and the flatten would read NHWC, other elements than before. Ours transposes in front of it.
// CHECK-LABEL: func.func @cnn_tensor(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %flat = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.relu %flat : tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @cnn_tensor(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %b = npu.relu %flat : tensor<1x192xf32, #npu.layout<Tensor>>
  return %b : tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// Outputs of one value share a transpose, right before the return. An input that is an output as well goes there and back.
// CHECK-LABEL: func.func @outputs(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %x_2 = npu.transpose %x_1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a_1, %x_2, %a_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @outputs(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %a, %x, %a : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// An op from CNN to Tensor that demands NHWC keeps it.
// CHECK-LABEL: func.func @demanding(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.img2col %a window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x24x72xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @demanding(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %y = npu.img2col %a window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
  return %y : tensor<1x24x72xf32, #npu.layout<Tensor>>
}

// -----

/// A value that three ops demand in NHWC is transposed once.
// CHECK-LABEL: func.func @three_users(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %x_1, %w strides = [1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.conv2d %x_1, %w strides = [2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x2x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x2x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a_1, %b_1, %c_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @three_users(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>) {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %x, %w strides = [1, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %x, %w strides = [2, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x6xf32, #npu.layout<NCHW>>
  return %a, %b, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>
}

// RUN: npu-opt %s --layout-optimal="target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal="target=plover" --layout-optimal="target=plover" --split-input-file | filecheck %s

/// A layer of a transformer: heads are split off and brought before the tokens, twice transposed for the scores, and put
/// back. Where matrix products take their operands in any order nothing is moved at all.
// CHECK-LABEL: func.func @encoder_layer
// CHECK-SAME:    (%x: tensor<1x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x4x6xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<1x6x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %q = npu.matmul %w, %x trans_a trans_b : (tensor<1x6x6xf32, #npu.layout<NTensor>>, tensor<1x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %k = npu.matmul %w, %x trans_a trans_b : (tensor<1x6x6xf32, #npu.layout<NTensor>>, tensor<1x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %v = npu.matmul %w, %x trans_a trans_b : (tensor<1x6x6xf32, #npu.layout<NTensor>>, tensor<1x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %qs = npu.reshape %q : (tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %qh = npu.relabel %qs : (tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 2, 3, 1]>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>
// CHECK-NEXT:    %ks = npu.reshape %k : (tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %kh = npu.relabel %ks : (tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 2, 3, 1]>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %vs = npu.reshape %v : (tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %vh = npu.relabel %vs : (tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 2, 3, 1]>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>
// CHECK-NEXT:    %scores = npu.matmul %qh, %kh trans_a : (tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>, tensor<1x2x3x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x4x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %soft = npu.softmax %scores axis = 3 : tensor<1x2x4x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %mix = npu.matmul %vh, %soft trans_b : (tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>, tensor<1x2x4x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>
// CHECK-NEXT:    %joined = npu.relabel %mix : (tensor<1x2x3x4xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>) -> tensor<1x2x3x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %joined_1 = npu.reshape %joined : (tensor<1x2x3x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %joined_2 = npu.relabel %joined_1 : (tensor<1x6x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %out = npu.matmul %joined_2, %w trans_a : (tensor<1x6x4xf32, #npu.layout<NTensor, [0, 2, 1]>>, tensor<1x6x6xf32, #npu.layout<NTensor>>) -> tensor<1x4x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %sum = npu.add %x, %out : tensor<1x4x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %sum : tensor<1x4x6xf32, #npu.layout<NTensor>>
func.func @encoder_layer(%x: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %w = npu.constant dense<0.5> : tensor<1x6x6xf32>
  %q = npu.matmul %x, %w : (tensor<1x4x6xf32>, tensor<1x6x6xf32>) -> tensor<1x4x6xf32>
  %k = npu.matmul %x, %w : (tensor<1x4x6xf32>, tensor<1x6x6xf32>) -> tensor<1x4x6xf32>
  %v = npu.matmul %x, %w : (tensor<1x4x6xf32>, tensor<1x6x6xf32>) -> tensor<1x4x6xf32>
  %qs = npu.reshape %q : (tensor<1x4x6xf32>) -> tensor<1x4x2x3xf32>
  %ks = npu.reshape %k : (tensor<1x4x6xf32>) -> tensor<1x4x2x3xf32>
  %vs = npu.reshape %v : (tensor<1x4x6xf32>) -> tensor<1x4x2x3xf32>
  %qh = npu.transpose %qs permutation = [0, 2, 1, 3] : (tensor<1x4x2x3xf32>) -> tensor<1x2x4x3xf32>
  %kh = npu.transpose %ks permutation = [0, 2, 3, 1] : (tensor<1x4x2x3xf32>) -> tensor<1x2x3x4xf32>
  %vh = npu.transpose %vs permutation = [0, 2, 1, 3] : (tensor<1x4x2x3xf32>) -> tensor<1x2x4x3xf32>
  %scores = npu.matmul %qh, %kh : (tensor<1x2x4x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x4x4xf32>
  %soft = npu.softmax %scores axis = 3 : tensor<1x2x4x4xf32>
  %mix = npu.matmul %soft, %vh : (tensor<1x2x4x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %heads = npu.transpose %mix permutation = [0, 2, 1, 3] : (tensor<1x2x4x3xf32>) -> tensor<1x4x2x3xf32>
  %joined = npu.reshape %heads : (tensor<1x4x2x3xf32>) -> tensor<1x4x6xf32>
  %out = npu.matmul %joined, %w : (tensor<1x4x6xf32>, tensor<1x6x6xf32>) -> tensor<1x4x6xf32>
  %sum = npu.add %x, %out : tensor<1x4x6xf32>
  func.return %sum : tensor<1x4x6xf32>
}

// -----

/// The concatenated inputs are arguments: the result is moved, once. Strategies by regions move both inputs.
// CHECK-LABEL: func.func @concat_of_inputs
// CHECK-SAME:    (%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %y: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %joined = npu.concat %x, %y axis = 3 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %joined : tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<4x16x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %conv = npu.conv2d %relu_1, %w : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<4x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 2, 3, 1] : (tensor<1x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
func.func @concat_of_inputs(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %y: tensor<1x4x4x8xf32, #npu.layout<NHWC>>)
    -> tensor<1x4x4x4xf32, #npu.layout<NHWC>> {
  %joined = npu.concat %x, %y axis = 3
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>)
    -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
  %relu = npu.relu %joined : tensor<1x4x4x16xf32, #npu.layout<NHWC>>
  %w = npu.constant dense<0.5> : tensor<4x16x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %relu, %w
    : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<4x16x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  func.return %conv : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
}

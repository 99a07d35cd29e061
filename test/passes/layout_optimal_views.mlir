// RUN: npu-opt %s --layout-optimal="target=onnx" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal="target=onnx" --layout-optimal="target=onnx" --split-input-file | filecheck %s

/// Queries, keys and values are selected from heads as the model has reshaped them: with the axis of one element in front.
// CHECK-LABEL: func.func @heads
// CHECK-SAME:    (%x: tensor<1x5x24xf32, #npu.layout<Tensor>>) -> tensor<5x2x4xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %zero = npu.constant dense<0> : tensor<i64, #npu.layout<Tensor>>
// CHECK-NEXT:    %one = npu.constant dense<1> : tensor<i64, #npu.layout<Tensor>>
// CHECK-NEXT:    %parts = npu.reshape %x : (tensor<1x5x24xf32, #npu.layout<Tensor>>) -> tensor<1x5x3x2x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %heads = npu.relabel %parts : (tensor<1x5x3x2x4xf32, #npu.layout<Tensor>>) -> tensor<1x5x3x2x4xf32, #npu.layout<Tensor, [1, 3, 0, 2, 4]>>
// CHECK-NEXT:    %q = npu.gather %heads, %zero axis = 2 : (tensor<1x5x3x2x4xf32, #npu.layout<Tensor, [1, 3, 0, 2, 4]>>, tensor<i64, #npu.layout<Tensor>>) -> tensor<1x5x2x4xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
// CHECK-NEXT:    %k = npu.gather %heads, %one axis = 2 : (tensor<1x5x3x2x4xf32, #npu.layout<Tensor, [1, 3, 0, 2, 4]>>, tensor<i64, #npu.layout<Tensor>>) -> tensor<1x5x2x4xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
// CHECK-NEXT:    %sum = npu.add %q, %k : tensor<1x5x2x4xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
// CHECK-NEXT:    %y = npu.relabel %sum : (tensor<1x5x2x4xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) -> tensor<1x5x2x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y_1 = npu.reshape %y : (tensor<1x5x2x4xf32, #npu.layout<Tensor>>) -> tensor<5x2x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y_1 : tensor<5x2x4xf32, #npu.layout<Tensor>>
func.func @heads(%x: tensor<1x5x24xf32>) -> tensor<5x2x4xf32> {
  %zero = npu.constant dense<0> : tensor<i64>
  %one = npu.constant dense<1> : tensor<i64>
  %parts = npu.reshape %x : (tensor<1x5x24xf32>) -> tensor<1x5x3x2x4xf32>
  %heads = npu.transpose %parts permutation = [2, 0, 3, 1, 4] : (tensor<1x5x3x2x4xf32>) -> tensor<3x1x2x5x4xf32>
  %q = npu.gather %heads, %zero axis = 0 : (tensor<3x1x2x5x4xf32>, tensor<i64>) -> tensor<1x2x5x4xf32>
  %k = npu.gather %heads, %one axis = 0 : (tensor<3x1x2x5x4xf32>, tensor<i64>) -> tensor<1x2x5x4xf32>
  %sum = npu.add %q, %k : tensor<1x2x5x4xf32>
  %back = npu.transpose %sum permutation = [2, 0, 1, 3] : (tensor<1x2x5x4xf32>) -> tensor<5x1x2x4xf32>
  %y = npu.reshape %back : (tensor<5x1x2x4xf32>) -> tensor<5x2x4xf32>
  func.return %y : tensor<5x2x4xf32>
}

// -----

/// Windows of an image are not made: what works on them works on the image, op after op in one shape.
// CHECK-LABEL: func.func @windows
// CHECK-SAME:    (%x: tensor<1x6x4x8xf32, #npu.layout<Tensor>>) -> tensor<1x6x4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %b = npu.constant dense<2.500000e-01> : tensor<1x1x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b_1 = npu.reshape %b : (tensor<1x1x8xf32, #npu.layout<Tensor>>) -> tensor<1x1x1x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %norm = npu.relu %x : tensor<1x6x4x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %product = npu.mul %norm, %b_1 : (tensor<1x6x4x8xf32, #npu.layout<Tensor>>, tensor<1x1x1x8xf32, #npu.layout<Tensor>>) -> tensor<1x6x4x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %bias = npu.add %product, %b_1 : (tensor<1x6x4x8xf32, #npu.layout<Tensor>>, tensor<1x1x1x8xf32, #npu.layout<Tensor>>) -> tensor<1x6x4x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %low, %exp = npu.split %bias axis = 3 sizes = [2, 6] : (tensor<1x6x4x8xf32, #npu.layout<Tensor>>) -> (tensor<1x6x4x2xf32, #npu.layout<Tensor>>, tensor<1x6x4x6xf32, #npu.layout<Tensor>>)
// CHECK-NEXT:    %y = npu.exp %exp : tensor<1x6x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x6x4x6xf32, #npu.layout<Tensor>>
func.func @windows(%x: tensor<1x6x4x8xf32>) -> tensor<1x6x4x6xf32> {
  %b = npu.constant dense<0.25> : tensor<1x1x8xf32>
  %norm = npu.relu %x : tensor<1x6x4x8xf32>
  %cut = npu.reshape %norm : (tensor<1x6x4x8xf32>) -> tensor<1x2x3x2x2x8xf32>
  %moved = npu.transpose %cut permutation = [0, 1, 3, 2, 4, 5] : (tensor<1x2x3x2x2x8xf32>) -> tensor<1x2x2x3x2x8xf32>
  %windows = npu.reshape %moved : (tensor<1x2x2x3x2x8xf32>) -> tensor<4x6x8xf32>
  %product = npu.mul %windows, %b : (tensor<4x6x8xf32>, tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
  %bias = npu.add %product, %b : (tensor<4x6x8xf32>, tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
  %low, %exp = npu.split %bias axis = 2 sizes = [2, 6] : (tensor<4x6x8xf32>) -> (tensor<4x6x2xf32>, tensor<4x6x6xf32>)
  %again = npu.reshape %exp : (tensor<4x6x6xf32>) -> tensor<1x2x2x3x2x6xf32>
  %back = npu.transpose %again permutation = [0, 1, 3, 2, 4, 5] : (tensor<1x2x2x3x2x6xf32>) -> tensor<1x2x3x2x2x6xf32>
  %image = npu.reshape %back : (tensor<1x2x3x2x2x6xf32>) -> tensor<1x6x4x6xf32>
  %y = npu.exp %image : tensor<1x6x4x6xf32>
  func.return %y : tensor<1x6x4x6xf32>
}

// -----

/// A reshape between two transposes that move nothing has their shape, and its unknown size follows from the elements.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME:    (%x: tensor<?x1x6x2xf32, #npu.layout<Tensor>>) -> tensor<?x1x6x1x2xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %a = npu.floor %x : tensor<?x1x6x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %v = npu.reshape %a : (tensor<?x1x6x2xf32, #npu.layout<Tensor>>) -> tensor<?x1x6x1x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %v : tensor<?x1x6x1x2xf32, #npu.layout<Tensor>>
func.func @unknown(%x: tensor<?x1x6x2xf32>) -> tensor<?x1x6x1x2xf32> {
  %a = npu.floor %x : tensor<?x1x6x2xf32>
  %p = npu.transpose %a permutation = [0, 2, 1, 3] : (tensor<?x1x6x2xf32>) -> tensor<?x6x1x2xf32>
  %v = npu.reshape %p dims = [@in0, 6, 1, 2, 1] : (tensor<?x6x1x2xf32>) -> tensor<?x6x1x2x1xf32>
  %q = npu.transpose %v permutation = [0, 2, 1, 4, 3] : (tensor<?x6x1x2x1xf32>) -> tensor<?x1x6x1x2xf32>
  func.return %q : tensor<?x1x6x1x2xf32>
}

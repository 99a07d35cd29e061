// In @main, in order: a reshape of two is left, none is, both are, two axes stay together; and a mean of rows.
func.func @main(%x: tensor<1x6x8xf32>, %y: tensor<1x6x2x4xf32>) -> (tensor<1x2x6x4xf32>, tensor<1x2x6x4xf32>, tensor<4x6x2xf32>, tensor<1x4x6x2xf32>, tensor<1x6x2x1xf32>) {
  %a = npu.reshape %x : (tensor<1x6x8xf32>) -> tensor<6x2x4xf32>
  %b = npu.transpose %a permutation = [1, 0, 2] : (tensor<6x2x4xf32>) -> tensor<2x6x4xf32>
  %one = npu.reshape %b : (tensor<2x6x4xf32>) -> tensor<1x2x6x4xf32>
  %c = npu.reshape %y : (tensor<1x6x2x4xf32>) -> tensor<6x2x4xf32>
  %d = npu.transpose %c permutation = [1, 0, 2] : (tensor<6x2x4xf32>) -> tensor<2x6x4xf32>
  %none = npu.reshape %d : (tensor<2x6x4xf32>) -> tensor<1x2x6x4xf32>
  %e = npu.reshape %x : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
  %f = npu.transpose %e permutation = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %both = npu.reshape %f : (tensor<8x6xf32>) -> tensor<4x6x2xf32>
  %last = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x6x2x4xf32>) -> tensor<1x4x6x2xf32>
  %mean = npu.reduce_mean %y axes = [3] keep : (tensor<1x6x2x4xf32>) -> tensor<1x6x2x1xf32>
  func.return %one, %none, %both, %last, %mean : tensor<1x2x6x4xf32>, tensor<1x2x6x4xf32>, tensor<4x6x2xf32>, tensor<1x4x6x2xf32>, tensor<1x6x2x1xf32>
}

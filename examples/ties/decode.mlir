// A token: it reads the keys of all tokens before, and the cache grows by its own.
func.func @decode(%query: tensor<1x8x1x8xf32>, %new: tensor<1x8x1x8xf32>, %past: tensor<1x8x16x8xf32>)
    -> (tensor<1x8x1x17xf32>, tensor<1x8x17x8xf32>) {
  %keys = npu.concat %past, %new axis = 2 : (tensor<1x8x16x8xf32>, tensor<1x8x1x8xf32>) -> tensor<1x8x17x8xf32>
  %turned = npu.transpose %keys permutation = [0, 1, 3, 2] : (tensor<1x8x17x8xf32>) -> tensor<1x8x8x17xf32>
  %scores = npu.matmul %query, %turned : (tensor<1x8x1x8xf32>, tensor<1x8x8x17xf32>) -> tensor<1x8x1x17xf32>
  func.return %scores, %keys : tensor<1x8x1x17xf32>, tensor<1x8x17x8xf32>
}

// The attention of a prompt, and that of a token, which reads caches that grow by its row; 8 heads share 2 of keys.
func.func @prefill(%q: tensor<1x16x8x8xf32>, %k: tensor<1x16x2x8xf32>, %v: tensor<1x16x2x8xf32>)
    -> (tensor<1x16x8x8xf32>, tensor<1x2x16x8xf32> {npu.tie = "keys"}, tensor<1x2x16x8xf32> {npu.tie = "values"}) {
  %query = npu.transpose %q permutation = [0, 2, 1, 3] : (tensor<1x16x8x8xf32>) -> tensor<1x8x16x8xf32>
  %keys = npu.transpose %k permutation = [0, 2, 1, 3] : (tensor<1x16x2x8xf32>) -> tensor<1x2x16x8xf32>
  %values = npu.transpose %v permutation = [0, 2, 1, 3] : (tensor<1x16x2x8xf32>) -> tensor<1x2x16x8xf32>
  %read = npu.attention %query, %keys, %values scale = 0.125 causal
    : (tensor<1x8x16x8xf32>, tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>) -> tensor<1x8x16x8xf32>
  %rows = npu.transpose %read permutation = [0, 2, 1, 3] : (tensor<1x8x16x8xf32>) -> tensor<1x16x8x8xf32>
  func.return %rows, %keys, %values : tensor<1x16x8x8xf32>, tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>
}

func.func @decode(%q: tensor<1x8x1x8xf32>, %k: tensor<1x2x1x8xf32>, %v: tensor<1x2x1x8xf32>,
    %past_keys: tensor<1x2x16x8xf32> {npu.tie = "keys"}, %past_values: tensor<1x2x16x8xf32> {npu.tie = "values"})
    -> (tensor<1x8x1x8xf32>, tensor<1x2x17x8xf32> {npu.tie = "keys"}, tensor<1x2x17x8xf32> {npu.tie = "values"})
    attributes {npu.calls = 512 : i64} {
  %keys = npu.concat %past_keys, %k axis = 2 : (tensor<1x2x16x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x17x8xf32>
  %values = npu.concat %past_values, %v axis = 2 : (tensor<1x2x16x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x17x8xf32>
  %read = npu.attention %q, %keys, %values scale = 0.125
    : (tensor<1x8x1x8xf32>, tensor<1x2x17x8xf32>, tensor<1x2x17x8xf32>) -> tensor<1x8x1x8xf32>
  func.return %read, %keys, %values : tensor<1x8x1x8xf32>, tensor<1x2x17x8xf32>, tensor<1x2x17x8xf32>
}

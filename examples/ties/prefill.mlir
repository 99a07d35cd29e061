// The keys of a prompt, for the cache of decode.mlir.
func.func @prefill(%x: tensor<16x64xf32>, %weight: tensor<64x64xf32>) -> tensor<1x8x16x8xf32> {
  %rows = npu.matmul %x, %weight : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %heads = npu.reshape %rows : (tensor<16x64xf32>) -> tensor<1x16x8x8xf32>
  %keys = npu.transpose %heads permutation = [0, 2, 1, 3] : (tensor<1x16x8x8xf32>) -> tensor<1x8x16x8xf32>
  func.return %keys : tensor<1x8x16x8xf32>
}

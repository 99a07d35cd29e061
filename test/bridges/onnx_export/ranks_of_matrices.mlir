// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Matrices lose the batch axes that the program added. A vector that the program made a matrix stays one, because MatMul
/// drops the axes of vectors from its result.

// CHECK:      main (float[2,3,4] x, float[4] v, float[3,3] m, uint8[2,3,4] i) => (float[2,3,5] p, float[1,3,1] col, float[1,1,5] y, float[2,3,4] q, int32[2,3,2] d)
// CHECK-NEXT: <float[4,5] w =  {0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5}, int64[3] constant_0 =  {1,4,1}, int64[3] constant_1 =  {1,1,4}, int64[3] constant_2 =  {0,0,0}, int64[3] constant_3 =  {1,3,4}, int64[3] constant_4 =  {0,1,2}, int8[4,2] k =  {1,2,3,4,5,6,7,8}, uint8 zx =  {3}, int8 zk =  {0}>
// CHECK-NEXT: {
// CHECK-NEXT:    [matmul] p = MatMul (x, w)
// CHECK-NEXT:    [reshape] vc = Reshape (v, constant_0)
// CHECK-NEXT:    [reshape_1] v3 = Reshape (v, constant_1)
// CHECK-NEXT:    [matmul_1] y = MatMul (v3, w)
// CHECK-NEXT:    [transpose] transpose = Transpose <perm: ints = [1, 0]> (m)
// CHECK-NEXT:    [matmul_2] q = MatMul (transpose, x)
// CHECK-NEXT:    [slice] s = Slice (x, constant_2, constant_3, constant_4)
// CHECK-NEXT:    [matmul_3] col = MatMul (s, vc)
// CHECK-NEXT:    [matmulinteger] d = MatMulInteger (i, k, zx, zk)
// CHECK-NEXT: }
func.func @main(%x: tensor<2x3x4xf32>, %v: tensor<4xf32>, %m: tensor<3x3xf32>, %i: tensor<2x3x4xui8>)
    -> (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x1x5xf32>, tensor<2x3x4xf32>, tensor<2x3x2xi32>) {
  %w = npu.constant dense<0.5> : tensor<4x5xf32>
  %w3 = npu.reshape %w : (tensor<4x5xf32>) -> tensor<1x4x5xf32>
  %p = npu.matmul %x, %w3 : (tensor<2x3x4xf32>, tensor<1x4x5xf32>) -> tensor<2x3x5xf32>
  %vc = npu.reshape %v : (tensor<4xf32>) -> tensor<1x4x1xf32>
  %v3 = npu.reshape %v : (tensor<4xf32>) -> tensor<1x1x4xf32>
  %y = npu.matmul %v3, %w3 : (tensor<1x1x4xf32>, tensor<1x4x5xf32>) -> tensor<1x1x5xf32>
  %m3 = npu.reshape %m : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
  %q = npu.matmul %m3, %x trans_a : (tensor<1x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %s = npu.slice %x starts = [0, 0, 0] limits = [1, 3, 4] : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %col = npu.matmul %s, %vc : (tensor<1x3x4xf32>, tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  %k = npu.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %k3 = npu.reshape %k : (tensor<4x2xi8>) -> tensor<1x4x2xi8>
  %zx = npu.constant dense<3> : tensor<ui8>
  %zk = npu.constant dense<0> : tensor<i8>
  %d = npu.matmul_integer %i, %k3, %zx, %zk : (tensor<2x3x4xui8>, tensor<1x4x2xi8>, tensor<ui8>, tensor<i8>) -> tensor<2x3x2xi32>
  func.return %p, %col, %y, %q, %d : tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x1x5xf32>, tensor<2x3x4xf32>, tensor<2x3x2xi32>
}

// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --layout-optimal --canonicalize | filecheck %s
// RUN: npu-opt %s -f tosa --layout-optimal --canonicalize -t tosa | filecheck %s --check-prefix BACK

/// The output of torch-mlir's pipeline for a small network of PyTorch: a convolution, hardswish, pooling, gelu, the mean of
/// each channel, a linear layer and softmax. All of it is read, and the transpose in the middle is gone.
module {
  func.func @forward(%arg0: tensor<1x3x32x32xf32>) -> tensor<1x10xf32> {
    %0 = "tosa.const"() <{values = dense<2.000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = tosa.const_shape  {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<[1, 1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = tosa.const_shape  {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %6 = "tosa.const"() <{values = dense<1.000000e-01> : tensor<8x3x3x3xf32>}> : () -> tensor<8x3x3x3xf32>
    %7 = "tosa.const"() <{values = dense<1.000000e-01> : tensor<3x3x8x1xf32>}> : () -> tensor<3x3x8x1xf32>
    %8 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %9 = "tosa.const"() <{values = dense<6.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %10 = "tosa.const"() <{values = dense<0.166666672> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %11 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %12 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %13 = "tosa.const"() <{values = dense<0.707106769> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %14 = "tosa.const"() <{values = dense<3.906250e-03> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %15 = "tosa.const"() <{values = dense<0.00999999977> : tensor<1x8x10xf32>}> : () -> tensor<1x8x10xf32>
    %16 = "tosa.const"() <{values = dense<2.000000e-02> : tensor<1x10xf32>}> : () -> tensor<1x10xf32>
    %17 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x32x32xf32>) -> tensor<1x32x32x3xf32>
    %18 = tosa.conv2d %17, %6, %0, %1, %1 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32x8xf32>
    %19 = tosa.clamp %18 {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32>
    %20 = tosa.depthwise_conv2d %19, %7, %0, %1, %1 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x8xf32>, tensor<3x3x8x1xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32x8xf32>
    %21 = tosa.add %20, %8 : (tensor<1x32x32x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x32x32x8xf32>
    %22 = tosa.clamp %21 {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32>
    %23 = tosa.minimum %22, %9 : (tensor<1x32x32x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x32x32x8xf32>
    %24 = tosa.mul %23, %10, %2 : (tensor<1x32x32x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x32x32x8xf32>
    %25 = tosa.mul %24, %20, %2 : (tensor<1x32x32x8xf32>, tensor<1x32x32x8xf32>, tensor<1xi8>) -> tensor<1x32x32x8xf32>
    %26 = tosa.max_pool2d %25 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x32x32x8xf32>) -> tensor<1x16x16x8xf32>
    %27 = tosa.transpose %26 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x16x16x8xf32>) -> tensor<1x8x16x16xf32>
    %28 = tosa.mul %27, %13, %2 : (tensor<1x8x16x16xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x16x16xf32>
    %29 = tosa.erf %28 : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
    %30 = tosa.add %29, %11 : (tensor<1x8x16x16xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x16x16xf32>
    %31 = tosa.mul %12, %30, %2 : (tensor<1x1x1x1xf32>, tensor<1x8x16x16xf32>, tensor<1xi8>) -> tensor<1x8x16x16xf32>
    %32 = tosa.mul %27, %31, %2 : (tensor<1x8x16x16xf32>, tensor<1x8x16x16xf32>, tensor<1xi8>) -> tensor<1x8x16x16xf32>
    %33 = tosa.reduce_sum %32 {axis = 2 : i32} : (tensor<1x8x16x16xf32>) -> tensor<1x8x1x16xf32>
    %34 = tosa.reduce_sum %33 {axis = 3 : i32} : (tensor<1x8x1x16xf32>) -> tensor<1x8x1x1xf32>
    %35 = tosa.reshape %34, %3 : (tensor<1x8x1x1xf32>, !tosa.shape<2>) -> tensor<1x8xf32>
    %36 = tosa.mul %35, %14, %2 : (tensor<1x8xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x8xf32>
    %37 = tosa.reshape %36, %4 : (tensor<1x8xf32>, !tosa.shape<3>) -> tensor<1x1x8xf32>
    %38 = tosa.matmul %37, %15, %1, %1 : (tensor<1x1x8xf32>, tensor<1x8x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10xf32>
    %39 = tosa.reshape %38, %5 : (tensor<1x1x10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
    %40 = tosa.add %39, %16 : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
    %41 = tosa.reduce_max %40 {axis = 1 : i32} : (tensor<1x10xf32>) -> tensor<1x1xf32>
    %42 = tosa.sub %40, %41 : (tensor<1x10xf32>, tensor<1x1xf32>) -> tensor<1x10xf32>
    %43 = tosa.exp %42 : (tensor<1x10xf32>) -> tensor<1x10xf32>
    %44 = tosa.reduce_sum %43 {axis = 1 : i32} : (tensor<1x10xf32>) -> tensor<1x1xf32>
    %45 = tosa.reciprocal %44 : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %46 = tosa.mul %43, %45, %2 : (tensor<1x10xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x10xf32>
    return %46 : tensor<1x10xf32>
  }
}

// CHECK-NOT:   npu.opaque
// CHECK:       npu.transpose %arg0 permutation = [0, 2, 3, 1]
// CHECK-SAME:    : (tensor<1x3x32x32xf32, #npu.layout<NCHW>>) -> tensor<1x32x32x3xf32, #npu.layout<NHWC>>
// CHECK-NOT:   npu.transpose
// CHECK:       npu.erf {{.*}} : tensor<1x16x16x8xf32, #npu.layout<NHWC>>
// CHECK-NOT:   npu.transpose
// CHECK:       npu.reduce_sum {{.*}} axes = [1] keep : {{.*}} -> tensor<1x1x16x8xf32, #npu.layout<NHWC>>
// CHECK-NOT:   npu.transpose
// CHECK:       npu.matmul
// CHECK-NOT:   npu.transpose
// CHECK:       func.return

// BACK:        tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>}
// BACK-NOT:    tosa.transpose
// BACK-NOT:    linalg.generic
// BACK:        return {{.*}} : tensor<1x10xf32>

// RUN: npu-opt %s --layout-optimal -o %t.mlir 2>%t.notes
// RUN: filecheck %s --input-file=%t.mlir
// RUN: npu-check %s %t.mlir
// RUN: npu-opt %t.mlir --layout-optimal | diff - %t.mlir

/// An op of linalg between ops of npu takes the order of the convolution, and the types keep their layouts.
// CHECK-LABEL: func.func @mixed(
// CHECK:         %x_1 = npu.transpose %x permutation = [0, 2, 3, 1]
// CHECK:         %y = npu.conv2d %x_1, %k_1
// CHECK:         %0 = npu.relabel %y : (tensor<1x6x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK:         %b = linalg.exp ins(%0 : tensor<1x6x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) outs(%1 : tensor<1x6x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x6x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %r = npu.relabel %b : (tensor<1x6x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x6x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %r : tensor<1x6x6x8xf32, #npu.layout<Tensor>>
func.func @mixed(%x: tensor<1x8x6x6xf32>, %k: tensor<8x8x1x1xf32>) -> tensor<1x6x6x8xf32> {
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x6x6xf32>
  %e1 = tensor.empty() : tensor<1x8x6x6xf32>
  %b = linalg.exp ins(%y : tensor<1x8x6x6xf32>) outs(%e1 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e2 = tensor.empty() : tensor<1x6x6x8xf32>
  %r = linalg.transpose ins(%b : tensor<1x8x6x6xf32>) outs(%e2 : tensor<1x6x6x8xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<1x6x6x8xf32>
}

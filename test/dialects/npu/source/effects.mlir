// RUN: npu-opt %s --cse --dce | filecheck %s

/// Foreign ops are merged and dropped only with `pure`.
// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    %once = npu.opaque "sin"(%x) pure : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %a = npu.opaque "random"(%x) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %b = npu.opaque "random"(%x) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %c = npu.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    func.return %once, %once, %a, %c, %c
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %once = npu.opaque "sin"(%x) pure : (tensor<2xf32>) -> tensor<2xf32>
  %twice = npu.opaque "sin"(%x) pure : (tensor<2xf32>) -> tensor<2xf32>
  %never = npu.opaque "cos"(%x) pure : (tensor<2xf32>) -> tensor<2xf32>
  %a = npu.opaque "random"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = npu.opaque "random"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %c = npu.constant dense<1.0> : tensor<2xf32>
  %d = npu.constant dense<1.0> : tensor<2xf32>
  %e = npu.reshape %c : (tensor<2xf32>) -> tensor<1x2xf32>
  return %once, %twice, %a, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// RUN: NPU_ROUNDTRIP

/// An op has one type after the colon if all operands and the one result have it, however it was written.

// CHECK-LABEL: func.func @same(
// CHECK-NEXT:    %a = npu.relu %x : tensor<2x3xf32>
// CHECK-NEXT:    %b = npu.add %a, %x : tensor<2x3xf32>
// CHECK-NEXT:    %c = npu.matmul %m, %m : tensor<3x3xf32>
// CHECK-NEXT:    %d = npu.split %c axis = 0 sizes = [3] : tensor<3x3xf32>
// CHECK-NEXT:    %e = npu.reshape %b : tensor<2x3xf32>
// CHECK-NEXT:    %f = npu.layer_norm %e axes = [1] : tensor<2x3xf32>
func.func @same(%x: tensor<2x3xf32>, %m: tensor<3x3xf32>) {
  %a = npu.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "npu.add"(%a, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = npu.matmul %m, %m : tensor<3x3xf32>
  %d = npu.split %c axis = 0 sizes = [3] : (tensor<3x3xf32>) -> (tensor<3x3xf32>)
  %e = npu.reshape %b : tensor<2x3xf32>
  %f = npu.layer_norm %e axes = [1] : tensor<2x3xf32>
  return
}

// -----

/// It has the types of a function if one differs, be it only in its layout, or if it has several results.

// CHECK-LABEL: func.func @different(
// CHECK-NEXT:    %a = npu.relu %x : (tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<4x4xf32>
// CHECK-NEXT:    %b = npu.add %a, %v : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %c, %d = npu.split %b axis = 0 sizes = [4, 0] : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<0x4xf32>)
// CHECK-NEXT:    %e = npu.layer_norm %c scale(%v : tensor<1x4xf32>) axes = [1] : tensor<4x4xf32>
func.func @different(%x: tensor<4x4xf32, #npu.layout<Tensor>>, %v: tensor<1x4xf32>) {
  %a = npu.relu %x : (tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<4x4xf32>
  %b = npu.add %a, %v : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %c, %d = npu.split %b axis = 0 sizes = [4, 0] : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<0x4xf32>)
  %e = npu.layer_norm %c scale(%v : tensor<1x4xf32>) axes = [1] : tensor<4x4xf32>
  return
}

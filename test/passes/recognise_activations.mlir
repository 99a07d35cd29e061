// RUN: npu-opt %s --recognise-activations | filecheck %s
// RUN: npu-opt %s --recognise-activations -o %t.mlir
// RUN: npu-check --arithmetic %s %t.mlir | filecheck %s --check-prefix=EQUAL
// RUN: npu-opt %s --recognise-activations --verify-layouts -o %t.mlir

// EQUAL: proved:

/// The product of a value with its sigmoid, on either side.
// CHECK-LABEL: func.func @silu
// CHECK-NEXT:    %y = npu.silu %x : tensor<4x8xf32>
// CHECK-NEXT:    %z = npu.silu %y : tensor<4x8xf32>
// CHECK-NEXT:    func.return %z : tensor<4x8xf32>
func.func @silu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = npu.sigmoid %x : tensor<4x8xf32>
  %y = npu.mul %x, %a : tensor<4x8xf32>
  %b = npu.sigmoid %y : tensor<4x8xf32>
  %z = npu.mul %b, %y : tensor<4x8xf32>
  func.return %z : tensor<4x8xf32>
}

/// The tanh of the softplus.
// CHECK-LABEL: func.func @mish
// CHECK-NEXT:    %y = npu.mish %x : tensor<4x8xf32>
// CHECK-NEXT:    func.return %y : tensor<4x8xf32>
func.func @mish(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = npu.softplus %x : tensor<4x8xf32>
  %b = npu.tanh %a : tensor<4x8xf32>
  %y = npu.mul %b, %x : tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

/// Exporters multiply the three factors in every order.
// CHECK-LABEL: func.func @gelu
// CHECK:         %y = npu.gelu %x : tensor<4x8xf32>
// CHECK-NEXT:    %z = npu.gelu %y : tensor<4x8xf32>
// CHECK-NEXT:    %w = npu.gelu %z : tensor<4x8xf32>
// CHECK-NEXT:    func.return %w : tensor<4x8xf32>
func.func @gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %root = npu.constant dense<1.41421354> : tensor<f32>
  %one = npu.constant dense<1.0> : tensor<f32>
  %half = npu.constant dense<0.5> : tensor<f32>
  %a1 = npu.div %x, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %a2 = npu.erf %a1 : tensor<4x8xf32>
  %a3 = npu.add %a2, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %a4 = npu.mul %x, %a3 : tensor<4x8xf32>
  %y = npu.mul %a4, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %b1 = npu.div %y, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %b2 = npu.erf %b1 : tensor<4x8xf32>
  %b3 = npu.add %one, %b2 : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %b4 = npu.mul %half, %b3 : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = npu.mul %b4, %y : tensor<4x8xf32>
  %c1 = npu.div %z, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %c2 = npu.erf %c1 : tensor<4x8xf32>
  %c3 = npu.add %c2, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %c4 = npu.mul %z, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %w = npu.mul %c4, %c3 : tensor<4x8xf32>
  func.return %w : tensor<4x8xf32>
}

/// Functions that others read stay, as do products of other values, of other element types, and with other numbers.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     npu.silu
// CHECK-NOT:     npu.gelu
// CHECK:         func.return
func.func @others(%x: tensor<4x8xf32>, %h: tensor<4x8xf16>, %v: tensor<1x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf16>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = npu.sigmoid %x : tensor<4x8xf32>
  %y = npu.mul %x, %a : tensor<4x8xf32>
  %b = npu.sigmoid %h : tensor<4x8xf16>
  %z = npu.mul %h, %b : tensor<4x8xf16>
  %c = npu.sigmoid %v : tensor<1x8xf32>
  %w = npu.mul %x, %c : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %root = npu.constant dense<1.5> : tensor<f32>
  %one = npu.constant dense<1.0> : tensor<f32>
  %half = npu.constant dense<0.5> : tensor<f32>
  %a1 = npu.div %x, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %a2 = npu.erf %a1 : tensor<4x8xf32>
  %a3 = npu.add %a2, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %a4 = npu.mul %x, %a3 : tensor<4x8xf32>
  %u = npu.mul %a4, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  func.return %a, %y, %z, %w, %u : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf16>, tensor<4x8xf32>, tensor<4x8xf32>
}

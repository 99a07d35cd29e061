// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// The parts of complex numbers are along any axis.
// CHECK-LABEL: func.func @spectrum(
func.func @spectrum(%x: tensor<4x400x1xf32>, %c: tensor<2x?x8xf64>, %h: tensor<4x201x2xf32>) {
  // CHECK-NEXT: %a = npu.dft %x axis = 1 parts = 2 onesided : (tensor<4x400x1xf32>) -> tensor<4x201x2xf32>
  %a = npu.dft %x axis = 1 parts = 2 onesided : (tensor<4x400x1xf32>) -> tensor<4x201x2xf32>
  // CHECK-NEXT: %b = npu.dft %c axis = 1 parts = 0 inverse : tensor<2x?x8xf64>
  %b = npu.dft %c axis = 1 parts = 0 inverse : tensor<2x?x8xf64>
  // CHECK-NEXT: %d = npu.dft %c axis = 2 parts = 0 length = 16 : (tensor<2x?x8xf64>) -> tensor<2x?x16xf64>
  %d = npu.dft %c axis = 2 parts = 0 length = 16 : (tensor<2x?x8xf64>) -> tensor<2x?x16xf64>
  // CHECK-NEXT: %e = npu.dft %h axis = 1 parts = 2 inverse onesided : (tensor<4x201x2xf32>) -> tensor<4x400x1xf32>
  %e = npu.dft %h axis = 1 parts = 2 inverse onesided : (tensor<4x201x2xf32>) -> tensor<4x400x1xf32>
  return
}

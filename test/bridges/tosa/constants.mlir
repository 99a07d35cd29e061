// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// Numbers of all types; those that nothing uses are gone.
func.func @main() -> (tensor<2x2xf32>, tensor<2xbf16>, tensor<3xi4>, tensor<2xi1>, tensor<2xf16>, tensor<2xi48>, tensor<2xf64>) {
  %unused = "tosa.const"() <{values = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %f = "tosa.const"() <{values = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %b = "tosa.const"() <{values = dense<[1.0, -2.5]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
  %i = "tosa.const"() <{values = dense<[1, -3, 7]> : tensor<3xi4>}> : () -> tensor<3xi4>
  %t = "tosa.const"() <{values = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  %h = "tosa.const"() <{values = dense<0.5> : tensor<2xf16>}> : () -> tensor<2xf16>
  %w = "tosa.const"() <{values = dense<[140737488355327, -5]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %d = arith.constant dense<[1.0, 0.1]> : tensor<2xf64>
  return %f, %b, %i, %t, %h, %w, %d : tensor<2x2xf32>, tensor<2xbf16>, tensor<3xi4>, tensor<2xi1>, tensor<2xf16>, tensor<2xi48>, tensor<2xf64>
}

// CHECK:       func.func @main() -> (tensor<2x2xf32>, tensor<2xbf16>, tensor<3xi4>, tensor<2xi1>, tensor<2xf16>, tensor<2xi48>, tensor<2xf64>) {
// CHECK-NEXT:    %f = npu.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT:    %b = npu.constant dense<[1.000000e+00, -2.500000e+00]> : tensor<2xbf16>
// CHECK-NEXT:    %i = npu.constant dense<[1, -3, 7]> : tensor<3xi4>
// CHECK-NEXT:    %t = npu.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT:    %h = npu.constant dense<5.000000e-01> : tensor<2xf16>
// CHECK-NEXT:    %w = npu.constant dense<[140737488355327, -5]> : tensor<2xi48>
// CHECK-NEXT:    %d = npu.constant dense<[1.000000e+00, 1.000000e-01]> : tensor<2xf64>
// CHECK-NEXT:    func.return %f, %b, %i, %t, %h, %w, %d : tensor<2x2xf32>, tensor<2xbf16>, tensor<3xi4>, tensor<2xi1>, tensor<2xf16>, tensor<2xi48>, tensor<2xf64>

// -----

/// Constants in resources after the module, as torch-mlir and IREE write large ones.
func.func @main() -> (tensor<2x2xf32>, tensor<2xi8>) {
  %w = "tosa.const"() <{values = dense_resource<torch_tensor_2_2_torch.float32> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %i = "tosa.const"() <{values = dense_resource<"a key"> : tensor<2xi8>}> : () -> tensor<2xi8>
  return %w, %i : tensor<2x2xf32>, tensor<2xi8>
}
{-#
  dialect_resources: {
    builtin: {
      torch_tensor_2_2_torch.float32: "0x040000000000803F000000400000404000008040",
      "a key": "0x0100000001FF"
    }
  }
#-}

// CHECK:       func.func @main() -> (tensor<2x2xf32>, tensor<2xi8>) {
// CHECK-NEXT:    %w = npu.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT:    %i = npu.constant dense<[1, -1]> : tensor<2xi8>
// CHECK-NEXT:    func.return %w, %i : tensor<2x2xf32>, tensor<2xi8>

// REQUIRES: onnx
// RUN: not npu-opt %s -t 'onnx{opset=17}' -o %t.onnx 2>&1 | filecheck %s
// RUN: npu-opt %s -t 'onnx{opset=18}' -o %t.onnx
// RUN: npu-opt %s -o %t.old.onnx 2>&1 | filecheck %s --check-prefix=RAISED

/// An op that the chosen opset can neither say nor compute is an error at its place.

// CHECK: refused_opset.mlir:13:10: error: BitwiseAnd needs opset 18, but opset=17 was chosen

// RAISED: onnx: note: opset 18 instead of 11: BitwiseAnd needs it
builtin.module attributes {onnx.opsets = {"" = 11 : i64}} {
  func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
    %y = npu.and %x, %x : tensor<4xi32>
    func.return %y : tensor<4xi32>
  }
}

// REQUIRES: onnx
// RUN: not npu-opt %s -o %t.onnx 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not npu-opt %s -o %t.onnx -t 'onnx{foreign=drop}' 2>&1 | filecheck %s --check-prefix=WORD
// RUN: npu-opt %s -o %t.onnx -t 'onnx{foreign=keep}' 2>&1 | filecheck %s --check-prefix=NOTE
// RUN: npu-opt %t.onnx | filecheck %s

/// An op of another format is an error, or with an option a node of a domain of its own, which a note counts. One of a
/// domain that the program imports is a node in any case.

// REFUSED: foreign.mlir:24:10: error: 'litert.WHERE' is no op of ONNX, nor of a domain that the program imports: -t 'onnx{foreign=keep}' writes a node of the domain 'litert', which only a runtime with such an op loads
// WORD: error: foreign=drop: expected refuse or keep
// NOTE: foreign.mlir.tmp.onnx: note: 0 Transposes in the file
// NOTE-NEXT: foreign.mlir.tmp.onnx: note: 3 ops of other formats, which only a runtime with such ops loads: 2 litert.WHERE, 1 tosa.custom

// CHECK: com.acme.Log
// CHECK: litert.WHERE
// CHECK: litert.WHERE
// CHECK: tosa.custom

builtin.module attributes {onnx.opsets = {"" = 26 : i64, "com.acme" = 3 : i64}} {
  func.func @main(%x: tensor<4xi1>, %z: tensor<4xf32>)
      -> (tensor<?x1xi64>, tensor<?x1xi64>, tensor<4xf32>, tensor<4xf32>) {
    %l = npu.opaque "com.acme.Log"(%z) : (tensor<4xf32>) -> tensor<4xf32>
    %a = npu.opaque "litert.WHERE"(%x) pure : (tensor<4xi1>) -> tensor<?x1xi64>
    %b = npu.opaque "litert.WHERE"(%x) : (tensor<4xi1>) -> tensor<?x1xi64>
    %c = npu.opaque "tosa.custom"(%z) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %a, %b, %c, %l : tensor<?x1xi64>, tensor<?x1xi64>, tensor<4xf32>, tensor<4xf32>
  }
}

// REQUIRES: onnx
// RUN: not npu-opt %s -o %t.onnx 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not npu-opt %s -o %t.onnx -t 'onnx{foreign=drop}' 2>&1 | filecheck %s --check-prefix=WORD
// RUN: npu-opt %s -o %t.onnx -t 'onnx{foreign=keep}' 2>&1 | filecheck %s --check-prefix=NOTE
// RUN: npu-opt %t.onnx | filecheck %s

/// An op of another format is an error, or with an option a node of a domain of its own, which a note counts. One of a
/// domain that the program imports is a node in any case. A resize that rounds as LiteRT does is the op of LiteRT, with
/// the channels last.

// REFUSED: foreign.mlir:28:10: error: 'litert.WHERE' is no op of ONNX, nor of a domain that the program imports: -t 'onnx{foreign=keep}' writes a node of the domain 'litert', which only a runtime with such an op loads
// WORD: error: foreign=drop: expected refuse or keep
// NOTE: foreign.mlir.tmp.onnx: note: 2 Transposes in the file, of ~{{.*}}
// NOTE-NEXT: foreign.mlir.tmp.onnx: note: 4 ops of other formats, which only a runtime with such ops loads: 1 litert.RESIZE_NEAREST_NEIGHBOR, 2 litert.WHERE, 1 tosa.custom

// CHECK: com.acme.Log
// CHECK: litert.WHERE
// CHECK: litert.WHERE
// CHECK: %[[MOVED:.*]] = npu.transpose %{{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[RESIZED:.*]] = npu.opaque "litert.RESIZE_NEAREST_NEIGHBOR"(%[[MOVED]], %{{.*}}) {alignCorners = 0 : i64, halfPixelCenters = 1 : i64}
// CHECK: npu.transpose %[[RESIZED]] permutation = [0, 3, 1, 2]
// CHECK: tosa.custom

builtin.module attributes {onnx.opsets = {"" = 26 : i64, "com.acme" = 3 : i64}} {
  func.func @main(%x: tensor<4xi1>, %z: tensor<4xf32>, %i: tensor<1x8x4x4xf32>, %n: tensor<2xi32>)
      -> (tensor<?x1xi64>, tensor<?x1xi64>, tensor<4xf32>, tensor<4xf32>, tensor<1x8x?x?xf32>) {
    %l = npu.opaque "com.acme.Log"(%z) : (tensor<4xf32>) -> tensor<4xf32>
    %a = npu.opaque "litert.WHERE"(%x) pure : (tensor<4xi1>) -> tensor<?x1xi64>
    %b = npu.opaque "litert.WHERE"(%x) : (tensor<4xi1>) -> tensor<?x1xi64>
    %r = npu.dynamic_resize %i, %n axes = [2, 3] coordinates = "lite_half_pixel" rounding = "floor"
      : (tensor<1x8x4x4xf32>, tensor<2xi32>) -> tensor<1x8x?x?xf32>
    %c = npu.opaque "tosa.custom"(%z) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %a, %b, %c, %l, %r : tensor<?x1xi64>, tensor<?x1xi64>, tensor<4xf32>, tensor<4xf32>, tensor<1x8x?x?xf32>
  }
}

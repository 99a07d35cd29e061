// REQUIRES: onnx
// RUN: npu-opt %s --target=%S/Inputs/file_rules.toml -o %t.onnx 2>&1 | filecheck %s --check-prefix=OPSET
// RUN: python %root/test/bridges/onnx_export/Inputs/print_model.py %t.onnx | filecheck %s --check-prefix=OLDER
// RUN: sed 's/= 26/= 13/' %s > %t.older.mlir
// RUN: npu-opt %t.older.mlir --target=%S/Inputs/file_rules.toml -o %t.onnx 2>&1 | filecheck %s --check-prefix=LIMIT
// RUN: sed 's/npu.gelu/npu.relu/; s/ approximate = "tanh"//; s/= 26/= 13/' %s > %t.own.mlir
// RUN: npu-opt %t.own.mlir --target=%S/Inputs/file_rules.toml -o %t.onnx
// RUN: python %root/test/bridges/onnx_export/Inputs/print_model.py %t.onnx | filecheck %s --check-prefix=OWN
// RUN: npu-opt %t.own.mlir -o %t.onnx && python %root/test/bridges/onnx_export/Inputs/print_model.py %t.onnx | filecheck %s --check-prefix=KEPT
// RUN: not npu-opt %root/test/bridges/onnx_export/refused_opset.mlir --target=%S/Inputs/file_rules.toml -o %t.onnx 2>&1 | filecheck %s --check-prefix=LACKS

/// No file is of a newer opset than the target allows, or of a newer IR version than the one with which that opset came: its ops
/// are written as the older opset has them, or expanded.
// OPSET: onnx: note: opset 17 instead of 26: the target has no newer one
// OLDER:      ir_version: 8,
// OLDER-NEXT: opset_import: ["" : 17],
// OLDER-NOT:  Gelu
// OLDER:      y = ReduceMean <axes: ints = [1], keepdims: int = 1> (g)

/// An older model leaves in the lowest opset that has its ops, up to that of the target.
// LIMIT: onnx: note: opset 17 instead of 13: Gelu needs 20

/// A model of an older opset keeps that, and the limit of the IR version holds; without the target it keeps both.
// OWN:       ir_version: 8,
// OWN-NEXT:  opset_import: ["" : 13],
// KEPT:      ir_version: 10,
// KEPT-NEXT: opset_import: ["" : 13],

/// An op that the opset can neither say nor compute is an error at its place.
// LACKS: error: BitwiseAnd needs opset 18, but the target takes opset 17 at most
builtin.module attributes {onnx.ir_version = 10 : i64, onnx.opsets = {"" = 26 : i64}} {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
    %g = npu.gelu %x approximate = "tanh" : tensor<2x3xf32>
    %y = npu.reduce_mean %g axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
    func.return %y : tensor<2x1xf32>
  }
}

// REQUIRES: onnx
// RUN: npu-opt %s -o %t.onnx 2>&1 | filecheck %s --check-prefix=RAISED
// RUN: python %S/Inputs/print_model.py %t.onnx | filecheck %s --check-prefix=NEWER
// RUN: npu-opt %s -t 'onnx{opset=17}' -o %t.17.onnx 2>&1 | filecheck %s --check-prefix=CHOSEN
// RUN: python %S/Inputs/print_model.py %t.17.onnx | filecheck %s --check-prefix=OLDER
// RUN: not npu-check --numeric %s %t.17.onnx | filecheck %s --check-prefix=AGREE
// RUN: npu-check --arithmetic %s %t.17.onnx | filecheck %s --check-prefix=PROVED
// RUN: not npu-opt %s -t 'onnx{opset=12}' -o %t.12.onnx 2>&1 | filecheck %s --check-prefix=RANGE

/// A model keeps its opset if that has all ops of the program. If not, it leaves in the lowest one that has them, and a
/// note says so.
// RAISED:      onnx: note: 0 Transposes in the file
// RAISED-NEXT: onnx: note: opset 20 instead of 17: Gelu needs it
// NEWER:       <
// NEWER-NEXT:   ir_version: 9,
// NEWER-NEXT:   opset_import: ["" : 20],
// NEWER:        ["/gelu"] g = Gelu <approximate: string = "tanh"> (x)
// NEWER-NEXT:   [reducemean] y = ReduceMean <keepdims: int = 1> (g, constant_0)

/// In a chosen opset ops are written in the form of that opset, or expanded, and the IR version is the one of that opset.
// CHOSEN-NOT:  instead of
// OLDER:       ir_version: 8,
// OLDER-NEXT:  opset_import: ["" : 17],
// OLDER:       <float constant_0 =  {0.5}, float constant_1 =  {3}, float constant_2 =  {0.044715}, float constant_3 =  {0.7978846}, float constant_4 =  {1}>
// OLDER-NEXT:  {
// OLDER-NEXT:    [mul] mul = Mul (x, constant_0)
// OLDER-NEXT:    [pow] pow = Pow (x, constant_1)
// OLDER-NEXT:    [mul_1] mul_1 = Mul (pow, constant_2)
// OLDER-NEXT:    [add] add = Add (x, mul_1)
// OLDER-NEXT:    [mul_2] mul_2 = Mul (add, constant_3)
// OLDER-NEXT:    [tanh] tanh = Tanh (mul_2)
// OLDER-NEXT:    [add_1] add_1 = Add (tanh, constant_4)
// OLDER-NEXT:    ["/gelu"] g = Mul (mul, add_1)
// OLDER-NEXT:    [reducemean] y = ReduceMean <axes: ints = [1], keepdims: int = 1> (g)
// AGREE:       the results agree
// PROVED:      proved: {{.*}}opsets.mlir and {{.*}}.tmp.17.onnx compute the same

// RANGE: opsets.mlir: error: opset 12: expected 13 to 26
builtin.module attributes {onnx.ir_version = 9 : i64, onnx.opsets = {"" = 17 : i64}} {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
    %g = npu.gelu %x approximate = "tanh" : tensor<2x3xf32> loc("/gelu")
    %y = npu.reduce_mean %g axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
    func.return %y : tensor<2x1xf32>
  }
}

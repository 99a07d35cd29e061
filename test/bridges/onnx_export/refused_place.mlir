// RUN: not npu-opt %s -t onnx 2>&1 | filecheck %s
// RUN: not npu-opt %s -t 'onnx{path="a.onnx"}' -o %t.onnx 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not npu-opt %s -o %t.onnx --split-input-file 2>&1 | filecheck %s --check-prefix=SPLIT

/// A model is a file of its own, in one place, and of one program.

// CHECK: refused_place.mlir: error: a model is not text: choose a file with -o model.onnx
// TWICE: npu-opt: error: -o and path= both give the file of the model
// SPLIT: npu-opt: error: a model is one program, but --split-input-file makes several
func.func @main() {
  func.return
}

// REQUIRES: litert, onnx
// RUN: npu-run %s --engine litert --function swapped --time 2 | filecheck %s --check-prefix EXPORTED
// RUN: npu-opt %s -o %t.onnx 2> %t.err && npu-opt %s -o %t.tflite 2>> %t.err
// RUN: npu-run %t.tflite --compare %t.onnx 2>&1 | filecheck %s --check-prefix FILE
// RUN: npu-run %t.onnx --engine litert --compare %t.tflite 2>&1 | filecheck %s --check-prefix MODEL
// RUN: npu-run %t.tflite --engine numpy --compare %t.tflite | filecheck %s --check-prefix NUMPY
// RUN: not npu-run %t.tflite --function swapped 2>&1 | filecheck %s --check-prefix FUNCTION
// RUN: not npu-run %t.missing.tflite 2>&1 | filecheck %s --check-prefix MISSING
// RUN: cp %s %t.text.tflite && not npu-run %t.text.tflite 2>&1 | filecheck %s --check-prefix WRONG
// RUN: not npu-run %S/../bridges/litert/Inputs/gradient.mlir --engine litert 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: npu-run --help | filecheck %s --check-prefix HELP

func.func @main(%x: tensor<2x4xf32> {onnx.name = "image"}) -> (tensor<4x2xf32> {onnx.name = "scores"}) {
  %y = func.call @swapped(%x) : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
func.func private @swapped(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

/// Any function of a program is exported, and run by LiteRT.
// EXPORTED:      {{.*}}run_litert.mlir: @swapped, by litert
// EXPORTED-NEXT:   input  %x  2x4 of f32: random, seed 0
// EXPORTED-NEXT:   output 0   4x2 of f32: {{.*}} to {{.*}}, mean {{.*}}
// EXPORTED-NEXT:   time   2 runs: median {{.*}} ms, fastest {{.*}} ms; ready after {{.*}} s

/// A file is run as it is; its inputs have the names of its signature.
// FILE:      {{.*}}.tflite: @main, by litert
// FILE-NEXT:   input  %image  2x4 of f32: random, seed 0
// FILE-NEXT:   output 0       4x2 of f32: {{.*}} to {{.*}}, mean {{.*}}
// FILE-NEXT:   output 0: equal to {{.*}}.onnx: largest difference 0, largest number {{.*}}

/// An ONNX model is exported, and may be compared with a file.
// MODEL:      {{.*}}.onnx: @main, by litert
// MODEL:        output 0: equal to {{.*}}.tflite: largest difference 0, largest number {{.*}}

/// The other engines run the program that the file is read as.
// NUMPY:      {{.*}}.tflite: @main, by numpy
// NUMPY:        output 0: equal to {{.*}}.tflite: largest difference 0, largest number {{.*}}

/// A file of LiteRT has one function.
// FUNCTION: {{.*}}.tflite: error: there is no function @swapped; --function takes one of: @main
// MISSING:  {{.*}}.missing.tflite: error: cannot read: No such file or directory
// WRONG:    {{.*}}.text.tflite: error: LiteRT: The model is not a valid Flatbuffer buffer

/// An op that LiteRT does not have is an error at its place.
// REFUSED: {{.*}}gradient.mlir:3:{{[0-9]+}}: error: 'npu.conv2d_bpw' has no counterpart in LiteRT

/// The help lists the engines.
// HELP: --engine {mlir,numpy,litert}

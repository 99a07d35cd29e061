// REQUIRES: litert
// RUN: npu-opt %S/Inputs/branch.mlir --layout-optimal -o %t.tflite 2>&1 | filecheck %s --check-prefix PLACED
// RUN: npu-opt %S/Inputs/branch.mlir --layout-transmit -o %t.tflite 2>&1 | filecheck %s --check-prefix KEPT
// RUN: not npu-opt %S/Inputs/gradient.mlir -o %t.none.tflite 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ls %t.none.tflite
// RUN: not npu-opt %S/Inputs/branch.mlir -t litert 2>&1 | filecheck %s --check-prefix NOFILE

/// The file is placed for LiteRT's own ops unless --target says otherwise, and its transposes are counted.
// PLACED: {{.*}}.tflite: note: 2 TRANSPOSEs in the file, of 1536 bytes

/// A program in orders that LiteRT does not have has transposes around those ops.
// KEPT: {{.*}}.tflite: note: 2 TRANSPOSEs in the file, of 1536 bytes; 2 of them around ops in orders that LiteRT does not have (--target=litert places ops for LiteRT, -t tosa needs none)

/// An op without a counterpart is an error at its place, and no file is written.
// REFUSED: {{.*}}gradient.mlir:3:{{[0-9]+}}: error: 'npu.conv2d_bpw' has no counterpart in LiteRT

/// A model is not text.
// NOFILE: error: a model is not text: choose a file with -o model.tflite

// REQUIRES: litert
// RUN: rm -rf %t && mkdir -p %t
// RUN: npu-opt %S/Inputs/branch.mlir --layout-transmit -o %t/bad.tflite 2> /dev/null
// RUN: npu-opt %t/bad.tflite | filecheck %s --check-prefix READ
// RUN: npu-opt %t/bad.tflite --layout-optimal --canonicalize -o %t/good.tflite 2>&1 | filecheck %s --check-prefix AGAIN
// RUN: npu-check %S/Inputs/branch.mlir %t/bad.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-check %t/bad.tflite %t/good.tflite | filecheck %s --check-prefix SAME
// RUN: npu-opt %S/Inputs/kept.mlir -o %t/kept.tflite 2> /dev/null && npu-opt %t/kept.tflite | filecheck %s --check-prefix KEPT
// RUN: npu-opt %t/kept.tflite -o %t/again.tflite 2> /dev/null && npu-check %t/kept.tflite %t/again.tflite | filecheck %s --check-prefix BELIEVED
// RUN: cp %s %t/text.tflite && not npu-opt %t/text.tflite 2>&1 | filecheck %s --check-prefix TEXT
// RUN: head -c 700 %t/bad.tflite > %t/cut.tflite && not npu-opt %t/cut.tflite 2>&1 | filecheck %s --check-prefix CUT
// RUN: not npu-opt -f litert < %t/bad.tflite 2>&1 | filecheck %s --check-prefix STDIN
// RUN: not npu-opt %t/none.tflite 2>&1 | filecheck %s --check-prefix NONE
// RUN: not npu-opt %S/Inputs/damaged.mlir -o %t/none.tflite 2>&1 | filecheck %s --check-prefix DAMAGED

/// A model is a program whose convolutions have their channels last; names stay.
// READ:      func.func @main(%input0: tensor<1x8x4x6xf32> {onnx.name = "input0"}) -> (tensor<1x8x4x6xf32> {onnx.name = "output0"}) {
// READ-NEXT:   %transpose = npu.transpose %input0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
// READ-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<8x1x1x8xf32>
// READ-NEXT:   %conv_2d = npu.conv2d %transpose, %k data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<1x4x6x8xf32>, tensor<8x1x1x8xf32>) -> tensor<1x4x6x8xf32>
// READ-NEXT:   %y = npu.transpose %conv_2d permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
// READ-NEXT:   %output0 = npu.relu %y : tensor<1x8x4x6xf32>

/// It is placed like any other program, and written again.
// AGAIN: {{.*}}good.tflite: note: 2 TRANSPOSEs in the file, of 1536 bytes

/// A file is compared with the program that it was made from, and with another file.
// PROVED: proved: {{.*}}branch.mlir and {{.*}}bad.tflite compute the same
// SAME:   proved: {{.*}}bad.tflite and {{.*}}good.tflite compute the same

/// An op that the dialect does not have is kept, with its options. An elementwise one says so, which a proof believes.
// BELIEVED: proved: {{.*}}kept.tflite and {{.*}}again.tflite compute the same
// BELIEVED: note: believed, not proved: "litert.ATAN2" is elementwise (as the programs say)
// KEPT: %output0 = npu.vendor_elementwise "litert.ATAN2"(%input0, %input1) pure {litert.operator = dense<[20, 0, 0, 0, {{.*}}, 0]> : tensor<56xui8>, litert.version = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>

/// Other files, those that are cut off and those that cannot be read are one line each.
// TEXT:  {{.*}}text.tflite: error: not a LiteRT model: the identifier TFL3 is missing
// CUT:   {{.*}}cut.tflite: error: the file is damaged: a vector at byte 732 lies outside of its 700 bytes
// STDIN: npu-opt: error: a LiteRT model is read from a file, not from standard input
// NONE:  npu-opt: error: cannot read '{{.*}}none.tflite': No such file or directory

/// A kept op in text may have any bytes.
// DAMAGED: {{.*}}damaged.mlir:2:{{[0-9]+}}: error: litert.operator is no op in the format of LiteRT

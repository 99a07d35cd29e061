// RUN: npu-opt %s -t tfl-mlir > %t.mlir && filecheck %s < %t.mlir
// RUN: npu-opt %t.mlir -t tfl-mlir | diff %t.mlir -
// RUN: npu-opt %s -o %t.tflite && npu-opt %t.mlir -o %t.again.tflite && cmp %t.tflite %t.again.tflite
// RUN: npu-opt %S/Inputs/kept.mlir -t tfl-mlir > %t.kept.mlir && filecheck %s --check-prefix KEPT < %t.kept.mlir
// RUN: npu-opt %S/Inputs/kept.mlir -o %t.kept.tflite && npu-opt %t.kept.mlir -o %t.again.tflite && cmp %t.kept.tflite %t.again.tflite
// RUN: not npu-opt %s -t "tfl-mlir{rewrites=all}" 2>&1 | filecheck %s --check-prefix NAME
// RUN: sed s/CONV_2D/CONV_9D/ %t.mlir > %t.wrong.mlir && not npu-opt %t.wrong.mlir -o %t.none.tflite 2>&1 | filecheck %s --check-prefix KIND
// RUN: sed s/strideH/strideX/ %t.mlir > %t.wrong.mlir && not npu-opt %t.wrong.mlir -o %t.none.tflite 2>&1 | filecheck %s --check-prefix OPTION
// RUN: sed s/F32/F99/ %t.mlir > %t.wrong.mlir && not npu-opt %t.wrong.mlir -o %t.none.tflite 2>&1 | filecheck %s --check-prefix ELEMENT

/// The ops of the file, with its options, names and constants; the text is read, and written as the same file.
func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %z = npu.relu %y : tensor<1x8x4x6xf32>
  func.return %z : tensor<1x8x4x6xf32>
}

// CHECK: builtin.module {
// CHECK-NEXT: func.func @main(%0: !tfl.tensor<F32 [1, 8, 4, 6]>) -> !tfl.tensor<F32 [1, 8, 4, 6], {name = "z"}> {
// CHECK-NEXT: %1 = tfl.source <I32, {numbers = dense<[0, 2, 3, 1]> : tensor<4xi32>}> : !tfl.tensor<I32 [4]>
// CHECK-NEXT: %2 = tfl.source <F32, {numbers = dense<5.000000e-01> : tensor<64xf32>, steps = {{\[\[}}array<i64: 8, 8, 1, 1>, array<i64: 0, 2, 3, 1>]]}> of "k" : !tfl.tensor<F32 [8, 1, 1, 8]>
// CHECK-NEXT: %3 = tfl.source <F32, {numbers = dense<0.000000e+00> : tensor<8xf32>}> : !tfl.tensor<F32 [8]>
// CHECK-NEXT: %4 = tfl.source <I32, {numbers = dense<[0, 3, 1, 2]> : tensor<4xi32>}> : !tfl.tensor<I32 [4]>
// CHECK-NEXT: %5 = tfl.op <{kind = "TRANSPOSE", part_of = "npu.conv2d", moved = 768 : i64}>(%0, %1) : (!tfl.tensor<F32 [1, 8, 4, 6]>, !tfl.tensor<I32 [4]>) -> !tfl.tensor<F32 [1, 4, 6, 8]>
// CHECK-NEXT: %6 = tfl.op <{kind = "CONV_2D", options = {strideH = 1 : i64, strideW = 1 : i64, dilationHFactor = 1 : i64, dilationWFactor = 1 : i64, padding = 1 : i64}, part_of = "npu.conv2d"}>(%5, %2, %3) : (!tfl.tensor<F32 [1, 4, 6, 8]>, !tfl.tensor<F32 [8, 1, 1, 8]>, !tfl.tensor<F32 [8]>) -> !tfl.tensor<F32 [1, 4, 6, 8]>
// CHECK-NEXT: %7 = tfl.op <{kind = "TRANSPOSE", part_of = "npu.conv2d"}>(%6, %4) : (!tfl.tensor<F32 [1, 4, 6, 8]>, !tfl.tensor<I32 [4]>) -> !tfl.tensor<F32 [1, 8, 4, 6], {name = "y"}>
// CHECK-NEXT: %8 = tfl.op <{kind = "RELU", part_of = "npu.relu"}>(%7) : (!tfl.tensor<F32 [1, 8, 4, 6], {name = "y"}>) -> !tfl.tensor<F32 [1, 8, 4, 6], {name = "z"}>
// CHECK-NEXT: func.return %8 : !tfl.tensor<F32 [1, 8, 4, 6], {name = "z"}>
// CHECK-NEXT: }
// CHECK-NEXT: }

/// An op that an imported file had is written as it was.
// KEPT: %2 = tfl.op <{kind = "litert.ATAN2", options = {operator = dense<[20, 0, 0, 0, 0, 0, 14, 0, 20, 0, 0, 0, 16, 0, 12, 0, 11, 0, 4, 0, 14, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 122, 16, 0, 0, 0, 16, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<56xui8>, version = 1 : i64, results = array<i1: true>}, part_of = "npu.opaque"}>(%0, %1) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [2, 3]>) -> !tfl.tensor<F32 [2, 3], {name = "z"}>

/// Each mistake in a text has its place.
// NAME: error: expected some of same-numbers, gelu, reshape-pairs, unit-axes, biases, activations, halves as rewrites, found all
// KIND: wrong.mlir:8:{{[0-9]+}}: error: LiteRT has no op CONV_9D
// OPTION: wrong.mlir:8:{{[0-9]+}}: error: LiteRT's CONV_2D has no option strideX
// ELEMENT: wrong.mlir:2:35: error: expected one of F32, F16, I32, U8, I64, STRING, BOOL, I16, C64, I8, F64, C128, U64, RESOURCE, VARIANT, U32, U16, I4, BF16, I2, U4, F8E4M3FN, F8E5M2

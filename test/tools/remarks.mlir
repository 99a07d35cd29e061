// RUN: npu-opt %s --split-input-file --canonicalize --remarks=all 2>%t.err | filecheck %s --check-prefix PROGRAM
// RUN: filecheck %s < %t.err
// RUN: npu-opt %s --split-input-file --canonicalize > %t.silent 2>&1
// RUN: npu-opt %s --split-input-file --canonicalize --remarks 2>/dev/null | diff - %t.silent
// RUN: npu-opt %S/Inputs/transposes.mlir --split-input-file --strip-layouts --remarks 2>&1 >/dev/null | filecheck %s --check-prefix PIECES
// RUN: cat %S/Inputs/transposes.mlir | npu-opt --split-input-file --remarks 2>&1 >/dev/null | filecheck %s --check-prefix KEPT

/// Two transposes that undo each other cancel; an untouched one is kept, and listed last.
// PROGRAM:     func.func @cancelled
// PROGRAM-NOT: remark
// CHECK:      {{\A}}{{.*}}remarks.mlir:[[# @LINE + 4]]:8: remark: cancelled transpose by [0, 2, 3, 1] of 1x8x4x6 (768 bytes) by canonicalize
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 5]]:8: remark: cancelled transpose by [0, 3, 1, 2] of 1x4x6x8 (768 bytes) by canonicalize
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 6]]:8: remark: kept transpose by [1, 0] of ?x7 (~28 bytes)
func.func @cancelled(%x: tensor<1x8x4x6xf32>, %y: tensor<?x7xf32>) -> (tensor<1x8x4x6xf32>, tensor<7x?xf32>) {
  %a = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %b = npu.transpose %a permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.transpose %y permutation = [1, 0] : (tensor<?x7xf32>) -> tensor<7x?xf32>
  func.return %b, %c : tensor<1x8x4x6xf32>, tensor<7x?xf32>
}

// -----

/// Two transposes become one; its remark quotes the reasons of both.
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 5]]:8: remark: cancelled transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by canonicalize: composed into another one
// CHECK-NEXT: model.py:7:1: remark: cancelled transpose NHWC to NCHW by [0, 3, 2, 1] of 1x4x6x8 (768 bytes) by canonicalize: composed into another one
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 3]]:8: remark: inserted transpose NCHW to NCHW by [0, 1, 3, 2] of 1x8x4x6 (768 bytes) by canonicalize: composed of several (my-pass: %conv wants it)
func.func @composed(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
    -> (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) {
  %a = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.transpose %a permutation = [0, 3, 2, 1]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> loc("my-pass: %conv wants it"("model.py":7:1))
  func.return %b : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// Transposes of constants and of axes of one element do not count, and their remarks say so.
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 6]]:8: remark: folded transpose OIHW to HWOI of 2x8x3x3 (of a constant, not counted) by canonicalize
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 7]]:8: remark: cancelled transpose NCHW to NHWC of 1x1x4x6 (moves unit axes only, not counted) by canonicalize
// CHECK-NEXT: {{.*}}remarks.mlir:[[# @LINE + 7]]:8: remark: cancelled transpose Tensor to Tensor of 4x6 (moves nothing, not counted) by canonicalize
func.func @uncounted(%x: tensor<1x1x4x6xf32, #npu.layout<NCHW>>, %y: tensor<4x6xf32, #npu.layout<Tensor>>)
    -> (tensor<3x3x2x8xf32, #npu.layout<HWOI>>, tensor<1x4x6x1xf32, #npu.layout<NHWC>>, tensor<4x6xf32, #npu.layout<Tensor>>) {
  %c = npu.constant dense<1.0> : tensor<2x8x3x3xf32, #npu.layout<OIHW>>
  %a = npu.transpose %c permutation = [2, 3, 0, 1]
    : (tensor<2x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x2x8xf32, #npu.layout<HWOI>>
  %b = npu.nchw2nhwc %x : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
  %d = npu.transpose %y permutation = [0, 1] : tensor<4x6xf32, #npu.layout<Tensor>>
  func.return %a, %b, %d : tensor<3x3x2x8xf32, #npu.layout<HWOI>>, tensor<1x4x6x1xf32, #npu.layout<NHWC>>, tensor<4x6xf32, #npu.layout<Tensor>>
}

// -----

/// One that is there with a reason keeps it.
// CHECK-NEXT: model.py:7:1: remark: kept transpose Tensor to Tensor, [1, 0] of 4x6 (96 bytes): my-pass: %conv wants it
// CHECK-NOT:  {{.}}
func.func @kept(%x: tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>> {
  %a = npu.transpose %x permutation = [1, 0]
    : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>> loc("my-pass: %conv wants it"("model.py":7:1))
  func.return %a : tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>
}

// -----

/// Lines count from the start of the file in every piece; what a pass writes in another way is still the same one.
// PIECES:      {{\A}}{{.*}}Inputs/transposes.mlir:2:8: remark: cancelled transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by strip-layouts
// PIECES-NEXT: {{.*}}Inputs/transposes.mlir:3:8: remark: kept transpose by [0, 1, 3, 2] of 1x8x4x6 (768 bytes)
// PIECES-NEXT: {{.*}}Inputs/transposes.mlir:11:8: remark: kept transpose by [1, 0] of ?x33 (~17 bytes)
// PIECES-NOT:  {{.}}

/// Without a pass all are kept. Standard input is a file, too.
// KEPT:      {{\A}}<stdin>:2:8: remark: kept transpose NCHW to NHWC of 1x8x4x6 (768 bytes)
// KEPT-NEXT: <stdin>:3:8: remark: kept transpose NHWC to NCHW by [0, 3, 2, 1] of 1x4x6x8 (768 bytes)
// KEPT-NEXT: <stdin>:11:8: remark: kept transpose by [1, 0] of ?x33 (~17 bytes)
// KEPT-NOT:  {{.}}
func.func private @nothing()

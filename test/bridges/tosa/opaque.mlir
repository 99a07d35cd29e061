// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s
// RUN: npu-opt %s -f tosa --split-input-file -t tosa | filecheck %s --check-prefix BACK

/// Ops that npu lacks keep their name and all attributes; so do ops whose meaning in npu differs, and elementwise ones say so.
func.func @main(%x: tensor<2x4x3xf32>, %i: tensor<2x2xi32>, %u: tensor<2x2x3xf32>, %n: tensor<2x3xi8>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<2x3xi8>) {
  %z = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.scatter %x, %i, %u : (tensor<2x4x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
  %1 = tosa.custom %n {operator_name = "magic", domain_name = "vendor", implementation_attrs = "x=1"} : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %2 = tosa.clamp %u {min_val = 0.0 : f32, max_val = 6.0 : f32, nan_mode = IGNORE} : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %3 = tosa.negate %n, %z, %z : (tensor<2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
  return %0, %1, %2, %3 : tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<2x3xi8>
}

// CHECK:       func.func @main(%x: tensor<2x4x3xf32>, %i: tensor<2x2xi32>, %u: tensor<2x2x3xf32>, %n: tensor<2x3xi8>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<2x3xi8>) {
// CHECK-NEXT:    %0 = npu.opaque "tosa.scatter"(%x, %i, %u) pure
// CHECK-SAME:      : (tensor<2x4x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT:    %1 = npu.opaque "tosa.custom"(%n) {domain_name = "vendor", implementation_attrs = "x=1", operator_name = "magic"}
// CHECK-SAME:      : (tensor<2x3xi8>) -> tensor<2x3xf32>
// CHECK-NEXT:    %2 = npu.vendor_elementwise "tosa.clamp"(%u) pure {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32, nan_mode = {mlir.attribute = "#tosa.nan_mode<IGNORE>"}}
// CHECK-SAME:      : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT:    %z = npu.constant dense<3> : tensor<1xi8>
// CHECK-NEXT:    %3 = npu.vendor_elementwise "tosa.negate"(%n, %z, %z) pure
// CHECK-SAME:      : (tensor<2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %0, %1, %2, %3 : tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<2x3xi8>

// BACK:       %0 = tosa.scatter %arg0, %arg1, %arg2
// BACK-SAME:    : (tensor<2x4x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
// BACK-NEXT:  %1 = tosa.custom %arg3 {domain_name = "vendor", implementation_attrs = "x=1", operator_name = "magic"}
// BACK-SAME:    : (tensor<2x3xi8>) -> tensor<2x3xf32>
// BACK-NEXT:  %2 = tosa.clamp %arg2 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32, nan_mode = IGNORE}
// BACK-SAME:    : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
// BACK-NEXT:  %3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
// BACK-NEXT:  %4 = tosa.negate %arg3, %3, %3 : (tensor<2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>

// -----

/// Sizes among the operands are kept as such.
func.func @main(%x: tensor<1x4x4x2xi8>) -> tensor<1x7x7x2xi32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %o {mode = BILINEAR} : (tensor<1x4x4x2xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x2xi32>
  return %0 : tensor<1x7x7x2xi32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x2xi8>) -> tensor<1x7x7x2xi32> {
// CHECK-NEXT:    %0 = npu.opaque "tosa.resize"(%x) pure {mode = {mlir.attribute = "#tosa.resize_mode<BILINEAR>"}, mlir.sizes = [unit, array<i64: 4, 2, 4, 2>, array<i64: 0, 0>, array<i64: 0, 0>]}
// CHECK-SAME:      : (tensor<1x4x4x2xi8>) -> tensor<1x7x7x2xi32>
// CHECK-NEXT:    func.return %0 : tensor<1x7x7x2xi32>

// BACK:       %0 = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
// BACK-NEXT:  %1 = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
// BACK-NEXT:  %2 = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
// BACK-NEXT:  %3 = tosa.resize %arg0, %0, %1, %2 {mode = BILINEAR}
// BACK-SAME:    : (tensor<1x4x4x2xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x2xi32>

// -----

/// An op with regions is kept as the text of a function, with the numbers that it needs from around it.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%filled : tensor<4xf32>) (%a: f32, %b: f32) {
    %p = arith.mulf %a, %two : f32
    linalg.yield %p : f32
  }
  return %0 : tensor<4xf32>
}

// CHECK:       func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %empty = npu.opaque "tensor.empty"() pure : () -> tensor<4xf32>
// CHECK-NEXT:    %filled = npu.opaque "linalg.fill"(%empty) pure {mlir.function = "module {\0A  func.func @op(%arg0: tensor<4xf32>) -> tensor<4xf32> {\0A    %cst = arith.constant 0.000000e+00 : f32\0A    %0 = linalg.fill ins(%cst : f32) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>\0A    return %0 : tensor<4xf32>\0A  }\0A}\0A"}
// CHECK-SAME:      : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %0 = npu.opaque "linalg.map"(%x, %filled) pure {mlir.function = "module {\0A  func.func @op(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {\0A    %cst = arith.constant 2.000000e+00 : f32\0A    %mapped = linalg.map ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>)\0A      (%in: f32, %init: f32) {\0A        %0 = arith.mulf %in, %cst : f32\0A        linalg.yield %0 : f32\0A      }\0A    return %mapped : tensor<4xf32>\0A  }\0A}\0A"}
// CHECK-SAME:      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %0 : tensor<4xf32>

// BACK:       %0 = tensor.empty() : tensor<4xf32>
// BACK-NEXT:  %cst = arith.constant 0.000000e+00 : f32
// BACK-NEXT:  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
// BACK-NEXT:  %cst_0 = arith.constant 2.000000e+00 : f32
// BACK-NEXT:  %mapped = linalg.map ins(%arg0 : tensor<4xf32>) outs(%1 : tensor<4xf32>)
// BACK-NEXT:    (%in: f32, %init: f32) {
// BACK-NEXT:      %2 = arith.mulf %in, %cst_0 : f32
// BACK-NEXT:      linalg.yield %2 : f32
// BACK-NEXT:    }
// BACK-NEXT:  return %mapped : tensor<4xf32>

// -----

/// Values from outside that the regions of an op use become its operands. The ops in regions may have any effect.
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cond_if %p : tensor<i1> -> tensor<4xf32> {
    %a = tosa.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %a : tensor<4xf32>
  } else {
    tosa.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK:       func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = npu.opaque "tosa.cond_if"(%p, %x, %y) {mlir.function = "module {{.*}}tosa.yield %arg1 : tensor<4xf32>
// CHECK-SAME:      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %0 : tensor<4xf32>

// BACK:       %0 = tosa.cond_if %arg0 : tensor<i1> -> tensor<4xf32> {
// BACK-NEXT:    %1 = tosa.add %arg1, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// BACK-NEXT:    tosa.yield %1 : tensor<4xf32>
// BACK-NEXT:  } else {
// BACK-NEXT:    tosa.yield %arg1 : tensor<4xf32>
// BACK-NEXT:  }
// BACK-NEXT:  return %0 : tensor<4xf32>

// -----

/// Shape operands may be between tensors: npu.pad does not allow an infinite value.
func.func @main(%x: tensor<4xf32>) -> tensor<6xf32> {
  %widths = tosa.const_shape {values = dense<[2, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %least = "tosa.const"() <{values = dense<0xFF800000> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %x, %widths, %least : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK:       %0 = npu.opaque "tosa.pad"(%x, %least) pure {mlir.sizes = [unit, array<i64: 2, 0>, unit]}
// CHECK-SAME:    : (tensor<4xf32>, tensor<1xf32>) -> tensor<6xf32>

// BACK:       tosa.pad %arg0, {{%[0-9]+}}, {{%[0-9]+}} : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<6xf32>

// -----

/// Constants that are computed from others keep their order.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %four = arith.mulf %two, %two : f32
  %0 = linalg.fill ins(%four : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:       npu.opaque "linalg.fill"(%x) pure {mlir.function = "{{.*}}arith.constant{{.*}}arith.mulf{{.*}}linalg.fill
// CHECK-SAME:    : (tensor<4xf32>) -> tensor<4xf32>

// BACK:       %cst = arith.constant 2.000000e+00 : f32
// BACK-NEXT:  %0 = arith.mulf %cst, %cst : f32
// BACK-NEXT:  %1 = linalg.fill ins(%0 : f32) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>

// -----

/// Ops on tensors of unknown rank stay, and all else around them is placed.
func.func @main(%x: tensor<3x2xf32>) -> tensor<*xf32> {
  %0 = tosa.abs %x : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<*xf32>
  %2 = tosa.exp %1 : (tensor<*xf32>) -> tensor<*xf32>
  return %2 : tensor<*xf32>
}

// CHECK:         %0 = npu.abs %x : tensor<3x2xf32>
// CHECK-NEXT:    %1 = npu.opaque "tosa.transpose"(%0) pure {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<!npu.opaque<"tensor<*xf32>">>
// CHECK-NEXT:    %2 = npu.opaque "tosa.exp"(%1) pure : (tensor<!npu.opaque<"tensor<*xf32>">>) -> tensor<!npu.opaque<"tensor<*xf32>">>
// CHECK-NEXT:    func.return %2 : tensor<!npu.opaque<"tensor<*xf32>">>

// BACK:          %[[A:.*]] = tosa.abs %arg0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
// BACK-NEXT:     %[[B:.*]] = tosa.transpose %[[A]] {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<*xf32>
// BACK-NEXT:     %[[C:.*]] = tosa.exp %[[B]] : (tensor<*xf32>) -> tensor<*xf32>
// BACK-NEXT:     return %[[C]] : tensor<*xf32>

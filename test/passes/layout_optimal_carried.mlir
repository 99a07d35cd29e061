// RUN: npu-opt %s --split-input-file --layout-optimal --canonicalize --verify-layouts | filecheck %s
// RUN: npu-opt %s --split-input-file --layout-optimal --layout-optimal --canonicalize | filecheck %s
// RUN: npu-opt %s --split-input-file --layout-optimal --stats 2>&1 | filecheck %s --check-prefix STATS
// RUN: npu-opt %s --split-input-file --layout-optimal=cost=traffic --canonicalize | filecheck %s --check-prefix PRESET
// RUN: npu-opt %s --split-input-file --layout-preset --canonicalize | filecheck %s --check-prefix PRESET

/// A function takes and returns what all its calls hand over in the order in which it computes, and keeps no note.
// CHECK:      func.func @twice(%x: tensor<1x4x5x6xf32, #npu.layout<NTensor>>) -> tensor<1x4x5x6xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x4x5x6xf32, #npu.layout<NTensor>>) -> tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// CHECK-NEXT:   %a = func.call @step(%x_1) : (tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>) -> tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// CHECK-NEXT:   %b = func.call @step(%a) : (tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>) -> tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// CHECK-NEXT:   %b_1 = npu.transpose %b permutation = [0, 2, 1, 3] : (tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>) -> tensor<1x4x5x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:   func.return %b_1
// CHECK:      func.func private @step(%s: tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>) -> tensor<1x5x4x6xf32, #npu.layout<NTensor, [0, 2, 1, 3]>> {
// CHECK-NEXT:   %w = npu.constant
// CHECK-NEXT:   %t = npu.relabel %s
// CHECK-NEXT:   %m = npu.matmul %t, %w
// CHECK-NEXT:   %u = npu.relabel %m
// CHECK-NEXT:   func.return %u

/// A transpose in a function counts for each of its calls.
// STATS: layout-optimal: 2 transposes, 960 bytes: proved minimum

/// The other layout passes leave the signatures of functions as they are, and so does a cost that counts each one once.
// PRESET: func.func private @step(%s: tensor<1x4x5x6xf32, #npu.layout<NTensor>>) -> tensor<1x4x5x6xf32, #npu.layout<NTensor>> {
func.func @twice(%x: tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32> {
  %a = func.call @step(%x) : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  %b = func.call @step(%a) : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  func.return %b : tensor<1x4x5x6xf32>
}
func.func private @step(%s: tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32> {
  %w = npu.constant dense<0.5> : tensor<1x5x6x6xf32>
  %t = npu.transpose %s permutation = [0, 2, 1, 3] : (tensor<1x4x5x6xf32>) -> tensor<1x5x4x6xf32>
  %m = npu.matmul %t, %w : (tensor<1x5x4x6xf32>, tensor<1x5x6x6xf32>) -> tensor<1x5x4x6xf32>
  %u = npu.transpose %m permutation = [0, 2, 1, 3] : (tensor<1x5x4x6xf32>) -> tensor<1x4x5x6xf32>
  func.return %u : tensor<1x4x5x6xf32>
}

// -----

/// A function that others may call, or that an unknown op names, keeps its signature.
// STATS-NEXT: layout-optimal: 9 transposes, 216 bytes: proved minimum
// CHECK:      func.func @public(%s: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
// CHECK:      func.func private @named(%s: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
func.func @callers(%x: tensor<3x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %a = func.call @public(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = func.call @named(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %d = func.call @named(%c) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = npu.opaque "onnx.Run"(%d) pure {body = @named} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %d, %e : tensor<2x3xf32>, tensor<2x3xf32>
}
func.func @public(%s: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = npu.constant dense<0.5> : tensor<2x2xf32>
  %t = npu.transpose %s permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %u : tensor<2x3xf32>
}
func.func private @named(%s: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = npu.constant dense<0.5> : tensor<2x2xf32>
  %t = npu.transpose %s permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %u : tensor<2x3xf32>
}

// -----

/// A loop carries its state in the order in which its body computes; what it takes from around it is moved before it.
// CHECK:      func.func @loop(%x: tensor<1x4x5x6xf32, #npu.layout<Tensor>>, %y: tensor<1x6x6x5xf32, #npu.layout<Tensor>>)
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 2, 1, 3]
// CHECK-NEXT:   %y_1 = npu.transpose %y permutation = [0, 3, 1, 2]
// CHECK-NEXT:   %w = npu.relabel %y_1
// CHECK:        %b = scf.for %i = %first to %end step %one iter_args(%s = %x_1) -> (tensor<1x5x4x6xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) {
// CHECK-NEXT:     %t = npu.relabel %s
// CHECK-NEXT:     %m = npu.matmul %t, %w
// CHECK-NEXT:     %u = npu.relabel %m
// CHECK-NEXT:     scf.yield %u
// CHECK-NEXT:   }
// CHECK-NEXT:   %b_1 = npu.transpose %b permutation = [0, 2, 1, 3]
// CHECK-NEXT:   func.return %b_1

/// Transposes in a loop count once for each step.
// STATS-NEXT: layout-optimal: 3 transposes, 1680 bytes: proved minimum
func.func @loop(%x: tensor<1x4x5x6xf32>, %y: tensor<1x6x6x5xf32>) -> tensor<1x4x5x6xf32> {
  %first = arith.constant 0 : index
  %end = arith.constant 8 : index
  %one = arith.constant 1 : index
  %b = scf.for %i = %first to %end step %one iter_args(%s = %x) -> (tensor<1x4x5x6xf32>) {
    %w = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x6x6x5xf32>) -> tensor<1x5x6x6xf32>
    %t = npu.transpose %s permutation = [0, 2, 1, 3] : (tensor<1x4x5x6xf32>) -> tensor<1x5x4x6xf32>
    %m = npu.matmul %t, %w : (tensor<1x5x4x6xf32>, tensor<1x5x6x6xf32>) -> tensor<1x5x4x6xf32>
    %u = npu.transpose %m permutation = [0, 2, 1, 3] : (tensor<1x5x4x6xf32>) -> tensor<1x4x5x6xf32>
    scf.yield %u : tensor<1x4x5x6xf32>
  }
  func.return %b : tensor<1x4x5x6xf32>
}

// -----

/// A function that is called once has no gain of another order, and stays as it is.
// CHECK:      func.func private @once(%s: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
// STATS: layout-optimal: 2 transposes, 48 bytes: proved minimum
func.func @caller(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = func.call @once(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %a : tensor<2x3xf32>
}
func.func private @once(%s: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = npu.constant dense<0.5> : tensor<2x2xf32>
  %t = npu.transpose %s permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %u : tensor<2x3xf32>
}

// -----

/// Results of both branches are in one order, and so is the state of a loop of unknown length, which counts as 64 steps.
// CHECK:      %e = scf.if %c -> (tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) {
// CHECK:        scf.yield %u : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %x_1 : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT: }
// CHECK-NEXT: %f = scf.while (%a = %e) : (tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>> {
// CHECK-NEXT:   %r = npu.relu %a : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:   scf.condition(%c) %r : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%g: tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>):
// CHECK-NOT:  npu.transpose
// CHECK:        scf.yield %u_1 : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT: }
// CHECK-NEXT: %f_1 = npu.transpose %f
// CHECK-NEXT: func.return %f_1
// STATS: layout-optimal: 2 transposes, 48 bytes: proved minimum
func.func @branch(%x: tensor<2x3xf32>, %c: i1) -> tensor<2x3xf32> {
  %e = scf.if %c -> (tensor<2x3xf32>) {
    %w = npu.constant dense<0.5> : tensor<2x2xf32>
    %t = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    scf.yield %u : tensor<2x3xf32>
  } else {
    scf.yield %x : tensor<2x3xf32>
  }
  %f = scf.while (%a = %e) : (tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %r = npu.relu %a : tensor<2x3xf32>
    scf.condition(%c) %r : tensor<2x3xf32>
  } do {
  ^bb0(%g: tensor<2x3xf32>):
    %w = npu.constant dense<0.5> : tensor<2x2xf32>
    %t = npu.transpose %g permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    scf.yield %u : tensor<2x3xf32>
  }
  func.return %f : tensor<2x3xf32>
}

// -----

/// Nested loops: a state that the inner loop carries on is stored in one order in both.
// CHECK:      npu.opaque "onnx.Loop"({{.*}}, %x_1) pure {body = @outer, {{.*}}} : (tensor<i64, #npu.layout<Tensor>>, tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK:      func.func private @outer({{.*}}, %s: tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) -> (tensor<i1, #npu.layout<Tensor>>, tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) {
// CHECK:      func.func private @inner({{.*}}, %z: tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) -> (tensor<i1, #npu.layout<Tensor>>, tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>) {
// CHECK-NOT:    npu.transpose
// CHECK:        func.return %c, %u
// STATS: layout-optimal: 2 transposes, 48 bytes: proved minimum
func.func @nested(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %n = npu.constant dense<5> : tensor<i64>
  %y = npu.opaque "onnx.Loop"(%n, %x) pure {body = @outer, onnx.operands = array<i64: 0, 2>} : (tensor<i64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
func.func private @outer(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<2x3xf32>) -> (tensor<i1>, tensor<2x3xf32>) {
  %n = npu.constant dense<3> : tensor<i64>
  %y = npu.opaque "onnx.Loop"(%n, %s) pure {body = @inner, onnx.operands = array<i64: 0, 2>} : (tensor<i64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %c, %y : tensor<i1>, tensor<2x3xf32>
}
func.func private @inner(%i: tensor<i64>, %c: tensor<i1>, %z: tensor<2x3xf32>) -> (tensor<i1>, tensor<2x3xf32>) {
  %w = npu.constant dense<0.5> : tensor<2x2xf32>
  %t = npu.transpose %z permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %c, %u : tensor<i1>, tensor<2x3xf32>
}

// -----

/// Slices of what a Scan goes through keep their order; a captured value has that of the argument of the body.
// CHECK:      npu.opaque "onnx.Scan"(%x, %q, %k_1, %j) {{.*}} : (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<7x2x3xf32, #npu.layout<Tensor>>, tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>, tensor<2x3xf32, #npu.layout<Tensor>>) ->
// CHECK:      func.func private @each(%s: tensor<2x3xf32, #npu.layout<Tensor>>, %e: tensor<2x3xf32, #npu.layout<Tensor>>, %k: tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>, %j: tensor<2x3xf32, #npu.layout<Tensor>>)
// STATS: layout-optimal: 1 transpose, 24 bytes: proved minimum
func.func @scan(%x: tensor<2x3xf32>, %q: tensor<7x2x3xf32>, %k: tensor<2x3xf32>, %j: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<7x2x2xf32>) {
  %y, %z = npu.opaque "onnx.Scan"(%x, %q, %k, %j) pure {body = @each, num_scan_inputs = 1 : i64, onnx.captures = ["k", "j"]} : (tensor<2x3xf32>, tensor<7x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<7x2x2xf32>)
  func.return %y, %z : tensor<2x3xf32>, tensor<7x2x2xf32>
}
func.func private @each(%s: tensor<2x3xf32>, %e: tensor<2x3xf32>, %k: tensor<2x3xf32>, %j: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>) {
  %t = npu.transpose %k permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = npu.matmul %e, %t : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %b = npu.opaque "onnx.Mix"(%e, %j) pure : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %a = npu.add %s, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %a, %m : tensor<2x3xf32>, tensor<2x2xf32>
}

// -----

/// A transpose in a loop, of a value from around it, leaves the loop, though nothing else changes.
// CHECK:      func.func @invariant
// CHECK-NEXT:   npu.transpose %y permutation = [1, 0]
// CHECK:        scf.for
// CHECK-NOT:    npu.transpose
// CHECK:        func.return %b
// STATS: layout-optimal: 1 transpose, 16 bytes: proved minimum
func.func @invariant(%x: tensor<3x2xf32>, %y: tensor<2x2xf32>) -> tensor<3x2xf32> {
  %first = arith.constant 0 : index
  %end = arith.constant 4 : index
  %one = arith.constant 1 : index
  %b = scf.for %i = %first to %end step %one iter_args(%s = %x) -> (tensor<3x2xf32>) {
    %w = npu.transpose %y permutation = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %m = npu.softmax %s axis = 1 : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %n = npu.opaque "onnx.Dot"(%m, %w) pure : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    scf.yield %n : tensor<3x2xf32>
  }
  func.return %b : tensor<3x2xf32>
}

// -----

/// Names of sizes follow the axes, at the results of a loop and at the ends of its body.
// CHECK:      npu.opaque "onnx.Loop"({{.*}}) pure {body = @sized, onnx.operands = array<i64: 0, 2>, onnx.dims = {{\[\[}}"columns", "rows"{{\]\]}}}
// CHECK:      func.func private @sized({{.*}}, %s: tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>> {onnx.dims = ["columns", "rows"]})
func.func @names(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %n = npu.constant dense<5> : tensor<i64>
  %y = npu.opaque "onnx.Loop"(%n, %x) pure {body = @sized, onnx.operands = array<i64: 0, 2>, onnx.dims = [["rows", "columns"]]} : (tensor<i64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
func.func private @sized(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<2x3xf32> {onnx.dims = ["rows", "columns"]}) -> (tensor<i1>, tensor<2x3xf32>) {
  %w = npu.constant dense<0.5> : tensor<2x2xf32>
  %t = npu.transpose %s permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = npu.matmul %t, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %c, %u : tensor<i1>, tensor<2x3xf32>
}

/// Transposes of the programs as they came count as often as they run.
// STATS:      before                    220  ~19936
// STATS-NEXT: 1. layout-optimal          24    3088

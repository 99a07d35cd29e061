// RUN: npu-opt %s --layout-optimal -o %t.optimal.mlir && npu-check %s %t.optimal.mlir | filecheck %s --check-prefix PROVED
// RUN: npu-opt %s --layout-preset="strategy=naive" -o %t.naive.mlir && npu-check %s %t.naive.mlir | filecheck %s --check-prefix PROVED
// RUN: sed 's/npu.sub %m, %c/npu.sub %c, %m/' %s > %t.swapped.mlir && not npu-check %s %t.swapped.mlir | filecheck %s --check-prefix SWAPPED
// RUN: sed 's/scf.yield %outer/scf.yield %own/' %s > %t.other.mlir && not npu-check %s %t.other.mlir | filecheck %s --check-prefix OTHER
// RUN: sed 's/npu.sub %r, %r/npu.sub %r, %q/' %s > %t.effects.mlir && not npu-check %s %t.effects.mlir | filecheck %s --check-prefix EFFECTS

/// Code in ops is compared by what it computes: convolutions in a branch and in a loop have other layouts, in all
/// strategies.
// PROVED: proved: {{.*}} compute the same

/// Operands of an op in a loop are swapped.
// SWAPPED: undecided: @main: result 0 is not computed in the same way

/// An argument of the outer loop is not that of the inner one.
// OTHER: undecided: @nested: result 0 is not computed in the same way

/// The first effect in a branch is not the first one around it.
// EFFECTS: undecided: @effects: effect 1, scf.if, does not have the same operands and attributes

func.func @main(%p: i1, %n: index, %x: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
  %k = npu.constant dense<1.0> : tensor<2x2x1x1xf32>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x5x5xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x5x5xf32>
  %b = scf.if %p -> (tensor<1x2x5x5xf32>) {
    %c = npu.conv2d %a, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x5x5xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x5x5xf32>
    scf.yield %c : tensor<1x2x5x5xf32>
  } else {
    scf.yield %a : tensor<1x2x5x5xf32>
  }
  %d = scf.for %i = %0 to %n step %1 iter_args(%c = %b) -> (tensor<1x2x5x5xf32>) {
    %m = npu.conv2d %c, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x5x5xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x5x5xf32>
    %e = npu.sub %m, %c : tensor<1x2x5x5xf32>
    scf.yield %e : tensor<1x2x5x5xf32>
  }
  func.return %d : tensor<1x2x5x5xf32>
}

func.func @nested(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = scf.for %i = %0 to %n step %1 iter_args(%outer = %x) -> (tensor<4xf32>) {
    %b = scf.for %j = %0 to %n step %1 iter_args(%own = %x) -> (tensor<4xf32>) {
      scf.yield %outer : tensor<4xf32>
    }
    scf.yield %b : tensor<4xf32>
  }
  func.return %a : tensor<4xf32>
}

func.func @effects(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %q = npu.opaque "vendor.random"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %a = scf.if %p -> (tensor<4xf32>) {
    %r = npu.opaque "vendor.random"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %b = npu.sub %r, %r : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  func.return %a : tensor<4xf32>
}

// RUN: not npu-opt --check-target %S/Inputs/problems.toml | filecheck %s
// RUN: not npu-opt --check-target %S/Inputs/problems.toml %s | filecheck %s --check-prefix PROGRAM
// RUN: npu-opt --check-target plover | filecheck %s --check-prefix NOTHING
// RUN: npu-opt --check-target=opu %s | filecheck %s --check-prefix SHIPPED
// RUN: not npu-opt --check-target %S/Inputs/staged_and_free.toml 2>&1 | filecheck %s --check-prefix STAGED
// RUN: not npu-opt --check-target %S/Inputs/nothing.toml 2>&1 | filecheck %s --check-prefix MISSING
// RUN: not npu-opt --check-target opu %s --cse 2>&1 | filecheck %s --check-prefix PASSES
// RUN: not npu-opt --check-target opu %s -o %t.mlir 2>&1 | filecheck %s --check-prefix PASSES

/// Keys that can have no effect are errors, everything else is a note. The lines are those of the file.
// CHECK:      {{\A}}{{.*}}problems.toml:11: note: no op demands the preferred feature layouts
// CHECK-NEXT: {{.*}}problems.toml:12: note: no op demands the preferred weight layouts
// CHECK-NEXT: {{.*}}problems.toml:14: note: no stage runs 2 of the 5 ops with demands: conv3d, concat
// CHECK-NEXT: {{.*}}problems.toml:17: error: rule 2 of 'conv2d' is never reached: rule 1, before it, has the same 'when'
// CHECK-NEXT: {{.*}}problems.toml:19: error: rule 4 of 'conv2d' is never reached: rule 3, before it, has no 'when'
// CHECK-NEXT: {{.*}}problems.toml:21: error: the demand of NDHWC for 'data' of 'conv3d' is never met: 'ranks' lets values of rank 4 be re-ordered at most
/// A relu has no groups. A pool has none either, but the other half of its condition may hold.
// CHECK-NEXT: {{.*}}problems.toml:22: error: 'when' never holds: 'relu' has no groups
// CHECK-NEXT: {{.*}}problems.toml:24: note: choice 2 of 'concat' demands what an earlier one does
// CHECK-NEXT: {{.*}}problems.toml:31: error: price 3 of transposes is never reached: price 2, before it, has no 'when'
// CHECK-NEXT: {{.*}}problems.toml:32: error: price 4 of transposes is never reached: price 2, before it, has no 'when'
// CHECK-NEXT: {{.*}}problems.toml:39: note: no stage runs 'vendor.other', and it is not free
// CHECK-NEXT: {{.*}}problems.toml:47: note: 'conv2d with constant' is not needed: the stage runs 'conv2d'
/// A sigmoid gets there if another one has taken the only use of the nearer stage.
// CHECK-NEXT: {{.*}}problems.toml:53: note: the greedy strategy never runs 'relu' here: 'act' is always nearer
/// Free transposes are free on each stage.
// CHECK-NEXT: {{.*}}problems.toml:55: note: 'transpose' is free, and does not cost this price
// CHECK-NEXT: {{.*}}problems.toml: 6 errors, 8 notes
// CHECK-NOT:  {{.}}

/// With a program: the ops for which each rule holds, stages without work, ops that the target does not know, and ops
/// that no stage runs, each with the place of the first one.
// PROGRAM:      {{.*}}problems.toml:16: note: rule 1 of 'conv2d' holds for 0 of 1 in the program
// PROGRAM:      {{.*}}problems.toml:18: note: rule 3 of 'conv2d' holds for 1 of 1 in the program
// PROGRAM:      {{.*}}problems.toml:22: note: the rule of 'relu' holds for 0 of 1 in the program
// PROGRAM:      {{.*}}problems.toml:46: note: no op of the program runs on once
// PROGRAM:      {{.*}}check_target.mlir: note: %o opaque "vendor.other" stays unchanged, although problems.toml:40 says 'elementwise': expected one result, found 2
// PROGRAM-NEXT: {{.*}}check_target.mlir:[[# @LINE + 21]]:8: note: 'vendor.unknown' is opaque, once: [ops."vendor.unknown"] of the target can say how it treats its data
// PROGRAM-NEXT: {{.*}}check_target.mlir:[[# @LINE + 20]]:8: note: no stage runs 'vendor.unknown', once
// PROGRAM-NEXT: {{.*}}check_target.mlir:[[# @LINE + 20]]:12: note: no stage runs 'vendor.other', once
// PROGRAM-NEXT: {{.*}}check_target.mlir:[[# @LINE + 21]]:8: note: no stage runs 'gelu', 2 times
// PROGRAM-NEXT: {{.*}}check_target.mlir: 7 ops, 1 with demands, 3 run on stages, 0 are free, 4 on no stage
// PROGRAM-NEXT: {{.*}}problems.toml: 6 errors, 19 notes

// NOTHING: {{\A}}plover.toml: 0 errors, 0 notes{{$}}

/// A shipped target is named without its folder. Notes are no failure.
// SHIPPED: opu.toml:{{[0-9]+}}: note: no op of the program runs on concat, add_pre, mul_pre, pad, mul, add, pool_pad, pool, res_add, requantise, upsample
// SHIPPED: opu.toml: 0 errors, {{[0-9]+}} notes

// STAGED:  {{\A}}{{.*}}staged_and_free.toml:4: error: 'relu' cannot be free: a stage runs it{{$}}
// MISSING: {{\A}}{{.*}}nothing.toml: error: cannot read the target: No such file or directory{{$}}
// PASSES:  {{\A}}npu-opt: error: --check-target only prints: it runs no passes and writes no file{{$}}

func.func @main(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>, %t: tensor<2x3xf32>) -> (tensor<1x8x4x4xf32>, tensor<2x3xf32>) {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %k : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x4xf32>
  %s = npu.opaque "vendor.swish"(%y) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %u = npu.opaque "vendor.unknown"(%s) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %o, %p = npu.opaque "vendor.other"(%t) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %r = npu.relu %u : tensor<1x8x4x4xf32>
  %g = npu.gelu %o : tensor<2x3xf32>
  %h = npu.gelu %g : tensor<2x3xf32>
  return %r, %h : tensor<1x8x4x4xf32>, tensor<2x3xf32>
}

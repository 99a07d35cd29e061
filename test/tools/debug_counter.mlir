// RUN: npu-opt %s --layout-optimal --debug-counter=layout-optimal=0 2>&1 | filecheck %s --check-prefix=NONE
// RUN: npu-opt %s --layout-optimal --debug-counter=layout-optimal=1 2>&1 | filecheck %s --check-prefix=ONE
// RUN: npu-opt %s --layout-preset --debug-counter=layout-preset=1 2>&1 | filecheck %s --check-prefix=PRESET
// RUN: npu-opt %s --layout-optimal -o %t.all.mlir
// RUN: npu-opt %s --layout-optimal --debug-counter=layout-optimal=9 2>%t.err | diff - %t.all.mlir
// RUN: filecheck %s --check-prefix=ALL --input-file=%t.err
// RUN: npu-opt %s --layout-preset=strategy=naive --canonicalize --debug-counter=canonicalize=1 2>&1 >/dev/null | filecheck %s --check-prefix=FIRST
// RUN: npu-opt %s --layout-preset=strategy=naive --canonicalize --debug-counter=canonicalize=99 2>&1 >/dev/null | filecheck %s --check-prefix=CANONICAL
// RUN: npu-opt %s --npu-default --debug-counter=fuse-ops-hw=1 2>&1 | filecheck %s --check-prefix=GROUPS
// RUN: npu-opt %s --layout-optimal --cse --debug-counter=passes=1 2>&1 >/dev/null | filecheck %s --check-prefix=PASSES
// RUN: not npu-opt %s --layout-optimal --debug-counter=layout-optima=1 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not npu-opt %s --layout-optimal --cse --debug-counter=cse=1 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not npu-opt %s --layout-optimal --debug-counter=3 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not npu-opt %s --layout-optimal --debug-counter=layout-optimal=-1 2>&1 | filecheck %s --check-prefix=NUMBER

!image = tensor<1x4x8x8xf32>

func.func @main(%x: !image, %k: tensor<4x4x1x1xf32>) -> !image {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (!image, tensor<4x4x1x1xf32>) -> !image
  %b = npu.relu %a : !image
  %c = npu.conv2d %b, %k data_layout = <NCHW> kernel_layout = <OIHW> : (!image, tensor<4x4x1x1xf32>) -> !image
  return %c : !image
}

/// Without any change the layouts are inferred, and nothing is rewritten.
// NONE:     note: layout-optimal: applied 0 of 3 changes
// NONE:     %a = npu.conv2d %x, %k : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>

/// The first change is the first op, in program order. Transposes around it keep the results: lit proves it.
// ONE:      note: layout-optimal: applied 1 of 3 changes, the last one is %a conv2d
// PRESET:   note: layout-preset: applied 1 of 3 changes, the last one is %a conv2d

/// A number that is not reached changes nothing.
// ALL:      note: layout-optimal: applied 3 of 3 changes, the last one is %c conv2d

/// The changes of canonicalize are its patterns, those of a fusion pass its groups, and those of `passes` the passes.
// FIRST:     note: canonicalize: applied 1 of at least 1 changes, the last one is %k reshape
// CANONICAL: note: canonicalize: applied 5 of 5 changes, the last one is %b transpose
// GROUPS:    note: fuse-ops-hw: applied 1 of 1 changes, the last one is %b relu
// PASSES:    note: passes: applied 1 of 2 changes, the last one is layout-optimal

// NAME:   npu-opt: error: argument --debug-counter: this run has no counter 'layout-optima' (did you mean 'layout-optimal'?)
// OTHER:  npu-opt: error: argument --debug-counter: this run has no counter 'cse' (choose from passes, layout-optimal)
// TEXT:   npu-opt: error: argument --debug-counter: expected PASS=N, as in layout-optimal=12, found '3'
// NUMBER: npu-opt: error: argument --debug-counter: expected a non-negative number, found '-1'

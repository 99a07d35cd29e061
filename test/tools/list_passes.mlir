// RUN: npu-opt --list-passes | filecheck %s
// RUN: npu-opt --list-targets | filecheck %s --check-prefix TARGETS

/// Our passes come first, then those of xDSL, each with its options and their defaults.
// CHECK:      npu passes:
// CHECK-NEXT:   layout-transmit - Give every value a layout, starting from the ops that know theirs.
// CHECK-NEXT:       default: str = Tensor
// CHECK-NEXT:       resolve: forward|next|previous|nearest = forward
// CHECK:      xDSL passes:
// CHECK:        apply-pdl
// CHECK-NEXT:       pdl-file: str|None = none
// CHECK:        canonicalize - Applies all canonicalization patterns.
// CHECK:        mlir-opt - A pass for calling the `mlir-opt` tool with specified parameters. Will fail if `mlir-opt` is not available.
// CHECK-NEXT:       executable: str = {{.*}}mlir-opt

// TARGETS: opu - {{.+}}

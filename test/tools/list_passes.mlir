// RUN: npu-opt --list-passes=all | filecheck %s
// RUN: npu-opt --list-passes | filecheck %s --check-prefix OWN
// RUN: npu-opt --list-targets | filecheck %s --check-prefix TARGETS
// RUN: not npu-opt --list-passes=some 2>&1 | filecheck %s --check-prefix SOME

/// The passes of npu-opt in alphabetical order, then those of xDSL, each with its options and their defaults.
// CHECK:      npu passes:
// CHECK:        fuse-ops - Outline ops that can be executed as one into functions, as TVM's FuseOps does.
// CHECK-NEXT:       annotate: bool = false
// CHECK-NEXT:       dump: graph|groups
// CHECK-NEXT:       opt-level: int = 2
// CHECK-NEXT:       max-depth: int = 256
// CHECK:        fuse-ops-hw - Outline ops that one pass through the hardware executes into functions.
// CHECK-NEXT:       annotate: bool = false
// CHECK-NEXT:       dump: graph|groups
// CHECK-NEXT:       target: str = opu
// CHECK-NEXT:       strategy: greedy|cover = greedy
// CHECK-NEXT:       single: bool = false
// CHECK:        inline-fused - Inline fused functions into their callers.
// CHECK:        layout-optimal - Give the ops the layouts with which the whole program moves the least data, and prove it.
// CHECK:        layout-preset - Give the ops the layouts that the hardware wants, with transposes where regions of ops meet.
// CHECK-NEXT:       default: str|none = none
// CHECK-NEXT:       interface: str = keep
// CHECK-NEXT:       strategy: naive|regions|regions-plus|seed-plus = regions-plus
// CHECK:        layout-preset-npu - Put transposes in front of the ops that demand a layout which they do not get, and never re-order a tensor.
// CHECK:        layout-transmit - Infer a layout for every value, starting from the ops with known layouts.
// CHECK-NEXT:       default: str = Tensor
// CHECK-NEXT:       resolve: forward|next|previous|nearest = forward
// CHECK:        multiply-reciprocals - Replace divisions by inline constants, and by repeated floats, with products with their reciprocals.
// CHECK:        npu-default - Place transposes, canonicalize, and fuse for the hardware: the pipeline for most networks.
// CHECK-NEXT:       target: str = opu
// CHECK-NEXT:       default: str|none = none
// CHECK-NEXT:       interface: str = keep
// CHECK:        recognise-norms - Replace normalisations that were exported as reshapes or arithmetic by one op.
// CHECK:        recognise-quantised - Replace floats between dequantisation and quantisation by ops on the integers.
// CHECK:        set-interface - Store arguments and results in the layouts that `interface` names, with transposes at the border.
// CHECK-NEXT:       interface: str
// CHECK-NEXT:       default: str|none = none
// CHECK:        split-quantised - Write quantised convolutions and matrix products as the steps that the stages of a target run.
// CHECK-NEXT:       target: str = opu
// CHECK:        split-transposes - Write a transpose as two where the target does that faster.
// CHECK-NEXT:       target: str = opu
// CHECK:        strip-layouts - Rewrite every op to the identity order of its axes and remove the layouts.
// CHECK:        tie-interfaces - Tie arguments and results, so that they are stored in one layout, and note how often each function is called.
// CHECK-NEXT:       ties: str|none = none
// CHECK-NEXT:       calls: str|none = none
// CHECK:      xDSL passes:
// CHECK:        apply-pdl
// CHECK-NEXT:       pdl-file: str|none = none
// CHECK:        canonicalize - Applies all canonicalization patterns.
// CHECK:        mlir-opt - A pass for calling the `mlir-opt` tool with specified parameters. Will fail if `mlir-opt` is not available.
// CHECK-NEXT:       executable: str = {{.*}}mlir-opt

// TARGETS: opu - {{.+}}

/// Without `all`, those of npu-opt alone.
// OWN:     npu passes:
// OWN-NOT: xDSL passes:
// OWN:       strip-layouts - Rewrite every op to the identity order of its axes and remove the layouts.
// OWN-NEXT:  tie-interfaces - Tie arguments and results, so that they are stored in one layout, and note how often each function is called.
// OWN-NEXT:      ties: str|none = none
// OWN-NEXT:      calls: str|none = none
// OWN-NEXT: {{[0-9]+}} passes of xDSL are listed as well by: npu-opt --list-passes=all
// SOME: npu-opt: error: argument --list-passes: expected nothing or all, found 'some'

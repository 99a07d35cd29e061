// RUN: npu-opt --help layout-transmit | filecheck %s --match-full-lines
// RUN: npu-opt --help --layout-transmit | filecheck %s --match-full-lines
// RUN: npu-opt -h inline-fused | filecheck %s --check-prefix PLAIN --match-full-lines
// RUN: npu-opt --help apply-pdl | filecheck %s --check-prefix OTHER --match-full-lines
// RUN: not npu-opt --help layout-presett 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not npu-opt --help %s 2>&1 | filecheck %s --check-prefix FILE
// RUN: not npu-check --nummeric a b 2>&1 | filecheck %s --check-prefix CHECK-TOOL
// RUN: not npu-run --randon a 2>&1 | filecheck %s --check-prefix RUN-TOOL

/// The docstring of the pass, and its options with their types, defaults and docstrings.
// CHECK:      {{\A}}usage: npu-opt --layout-transmit="OPTIONS" [input_file]
// CHECK-EMPTY:
// CHECK-NEXT: Infer a layout for every value, starting from the ops with known layouts.
// CHECK-EMPTY:
// CHECK-NEXT: The layouts of convolutions and other ops with `data_layout`, of matrix products, and of typed arguments are known.
// CHECK:      options:
// CHECK-NEXT:   default: str = Tensor
// CHECK-NEXT:       The layout of arguments and constants for which no layout can be inferred.
// CHECK-NEXT:   resolve: forward|next|previous|nearest = forward
// CHECK-NEXT:       The layout of an operand that the result does not determine, as of a reshape: that of its producer (forward), or
// CHECK-NEXT:       that of the next, the previous or the nearest op with known layouts.
// CHECK-NOT:  {{.+}}

// PLAIN:     {{\A}}usage: npu-opt --inline-fused [input_file]
// PLAIN-NOT: options:

/// Passes of xDSL are described as far as they describe themselves.
// OTHER:      {{\A}}usage: npu-opt --apply-pdl="OPTIONS" [input_file]
// OTHER:      options:
// OTHER-NEXT:   pdl-file: str|none = none

// UNKNOWN: npu-opt: error: argument -h/--help: no pass 'layout-presett' (did you mean 'layout-preset'?)
// FILE:    npu-opt: error: argument -h/--help: no pass '{{.*}}help_pass.mlir' (npu-opt --list-passes=all prints all)

/// The smaller tools suggest flags as well.
// CHECK-TOOL: {{\A}}npu-check: error: unrecognized arguments: --nummeric (did you mean '--numeric'?)
// RUN-TOOL:   {{\A}}npu-run: error: unrecognized arguments: --randon (did you mean '--random'?)

// RUN: npu-opt %s --target=%S/Inputs/high_rank.toml --layout-optimal --why=p 2>&1 >/dev/null | filecheck %s
// RUN: npu-opt %s --target=%S/Inputs/high_rank.toml --layout-optimal --what-if 2>&1 >/dev/null | filecheck %s --check-prefix WHATIF

/// A demand of a rank that is not re-ordered keeps its op unchanged, and has no opposite.
// CHECK:      layout-optimal: %p stays in NCDHW
// CHECK-NEXT:   because %p max_pool demands NDHWC of input (high_rank.toml:13)
// CHECK-NEXT:   in all: 0 transposes, 0 bytes: proved minimum
// CHECK-NEXT: note: layout-optimal: %p max_pool stays unchanged: no form of it meets NDHWC of input (high_rank.toml:13)
// WHATIF:      what if: 0 transposes, 0 bytes
// WHATIF-NEXT:   nothing is saved without the demand of max_pool on input (high_rank.toml:13), nor with the best layouts of all arguments and results (--interface=free)
func.func @main(%x: tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32> {
  %p = npu.max_pool %x window = [3, 3, 3] pads = [1, 1, 1, 1, 1, 1] data_layout = <NCDHW>
    : (tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  func.return %p : tensor<1x2x4x4x4xf32>
}

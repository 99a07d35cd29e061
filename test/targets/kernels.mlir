// RUN: npu-opt %root/examples/kernel/attention.mlir --target=%root/examples/kernel/kernel.toml --layout-optimal --canonicalize --stats 2>&1 | filecheck %s
// RUN: npu-opt %root/examples/kernel/attention.mlir --target=%S/Inputs/appended.toml --layout-optimal --canonicalize --stats 2>&1 | filecheck %s --check-prefix APPENDED
// RUN: npu-opt %s --target=%root/examples/kernel/kernel.toml --layout-optimal --remarks 2>&1 | filecheck %s --check-prefix OTHER
// RUN: npu-opt %s --target=plover --layout-optimal | filecheck %s --check-prefix PLOVER
// RUN: npu-opt %s --target=litert --layout-optimal | filecheck %s --check-prefix LITERT

/// Each kernel gets the orders that the target lists for it, and the cache of keys those of the kernel that runs more often.
// CHECK:      layout-optimal: 2 transposes, 2048 bytes, 141312 cycles: proved minimum
// CHECK:      func.func @prefill(
// CHECK-NEXT:   %k_1 = npu.transpose %k permutation = [0, 2, 3, 1]
// CHECK:        %read = npu.attention %query, %keys_1, %values scale = 1.250000e-01 causal query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC" : (
// CHECK:      func.func @decode({{.*}}, %past_keys: tensor<1x2x8x16xf32, #npu.layout<NTensor, [0, 1, 3, 2]>> {npu.tie = "keys", npu.interface = "NTensor, [0, 1, 3, 2] (was NTensor)"}, %past_values: tensor<1x2x16x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:   %k_1 = npu.reshape %k
// CHECK-NEXT:   %keys = npu.concat %past_keys, %k_1 axis = 3
// CHECK-NEXT:   %values = npu.concat %past_values, %v axis = 2
// CHECK-NEXT:   %read = npu.attention %q, %keys, %values scale = 1.250000e-01 key_axes = "BHCN" : (tensor<1x8x1x8xf32, #npu.layout<NTensor>>, tensor<1x2x8x17xf32, #npu.layout<NTensor, [0, 1, 3, 2]>>, tensor<1x2x17x8xf32, #npu.layout<NTensor>>) -> tensor<1x8x1x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:   func.return %read, %keys, %values

/// The cache stays in rows where a row appended to columns costs more than the dearer kernel: 512 x (0.5 x 1088), and 2048 in @prefill.
// APPENDED:      layout-optimal: 2 transposes, 2048 bytes, 280576 cycles: proved minimum
// APPENDED:      func.func @decode({{.*}}, %past_keys: tensor<1x2x16x8xf32, #npu.layout<NTensor>> {npu.tie = "keys"}
// APPENDED-NEXT:   %keys = npu.concat %past_keys, %k axis = 2
// APPENDED-NEXT:   %values = npu.concat %past_values, %v axis = 2
// APPENDED-NEXT:   %read = npu.attention %q, %keys, %values scale = 1.250000e-01 :

/// An order that no kernel takes is transposed, for the reason that the file has.
// OTHER: remark: inserted transpose NTensor to NTensor, [0, 2, 1, 3] of 1x2x4x8 (256 bytes, 256 cycles) by layout-optimal: %y attention demands BNHC of query (kernel.toml:16), but argument %q is NTensor
// OTHER: func.func @columns(
// OTHER:   %y = npu.attention {{.*}} query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC"

/// Keys as columns, and rows of queries and results in front of the heads or behind, each as it is cheaper.
// PLOVER:      func.func @columns(
// PLOVER-NEXT:   %y = npu.attention %q, %k, %v scale = 5.000000e-01 key_axes = "BHCN" : (
// PLOVER-NEXT:   %r = npu.transpose %y permutation = [0, 3, 1, 2]
// PLOVER-NEXT:   func.return %r

/// LiteRT's products read keys and values in rows and in columns.
// LITERT:      func.func @columns(
// LITERT-NEXT:   %y = npu.attention %q, %k, %v scale = 5.000000e-01 key_axes = "BHCN" : (
// LITERT-NEXT:   %r = npu.transpose %y permutation = [0, 3, 1, 2]
// LITERT-NEXT:   func.return %r
func.func @columns(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x8x3xf32>, %v: tensor<1x2x3x8xf32>) -> tensor<1x8x2x4xf32> {
  %y = npu.attention %q, %k, %v scale = 5.000000e-01 key_axes = "BHCN"
    : (tensor<1x2x4x8xf32>, tensor<1x2x8x3xf32>, tensor<1x2x3x8xf32>) -> tensor<1x2x4x8xf32>
  %r = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x2x4x8xf32>) -> tensor<1x8x2x4xf32>
  func.return %r : tensor<1x8x2x4xf32>
}

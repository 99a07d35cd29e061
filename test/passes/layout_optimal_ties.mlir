// RUN: npu-opt %s --layout-optimal --canonicalize --verify-layouts | filecheck %s
// RUN: npu-opt %s --layout-optimal --layout-optimal --canonicalize | filecheck %s
// RUN: npu-opt %s --tie-interfaces='calls="prefill=1000"' --layout-optimal --canonicalize | filecheck %s --check-prefix PREFILL
// RUN: npu-opt %s --layout-optimal='interface="@decode:past:NTensor, [0, 2, 1, 3]"' --canonicalize | filecheck %s --check-prefix NAMED
// RUN: npu-opt %s --layout-optimal='interface="@decode:past:keep"' --canonicalize | filecheck %s --check-prefix KEPT
// RUN: not npu-opt %s --layout-optimal='interface="@decode:past:keep,@prefill:output0:Tensor, [0, 2, 1, 3]"' 2>&1 | filecheck %s --check-prefix CONTRADICTION
// RUN: npu-opt %s --layout-preset --canonicalize | filecheck %s --check-prefix KEPT
// RUN: npu-opt %s --layout-optimal=cost=traffic --stats 2>&1 | filecheck %s --check-prefix TRAFFIC
// RUN: npu-opt %s --layout-optimal --stats 2>&1 | filecheck %s --check-prefix STATS

/// The cache has the order that costs the least in all calls: one transpose in @prefill, for one less in each call of @decode.
// CHECK:      func.func @prefill(%x: tensor<1x16x8x64xf32, #npu.layout<Tensor>>) -> (tensor<1x8x64x16xf32, #npu.layout<Tensor, [0, 1, 3, 2]>> {npu.tie = "k", npu.interface = "Tensor, [0, 1, 3, 2] (was Tensor)"}) {
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x16x8x64xf32, #npu.layout<Tensor>>) -> tensor<1x8x64x16xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:   %k = npu.relabel %x_1
// CHECK-NEXT:   func.return %k
// CHECK:      func.func @decode(%q: tensor<1x8x1x64xf32, #npu.layout<NTensor>>, %past: tensor<1x8x64x16xf32, #npu.layout<NTensor, [0, 1, 3, 2]>> {npu.tie = "k", npu.interface = "NTensor, [0, 1, 3, 2] (was NTensor)"})
// CHECK-NEXT:   %t = npu.relabel %past
// CHECK-NEXT:   %scores = npu.matmul %q, %t
// CHECK-NEXT:   func.return %scores

/// Ops of a function that nothing but a tie leads to another order take it.
// CHECK:      func.func @clip(%past: tensor<1x8x64x16xf32, #npu.layout<Tensor, [0, 1, 3, 2]>>
// CHECK-NEXT:   %clipped = npu.relu %past : tensor<1x8x64x16xf32, #npu.layout<Tensor, [0, 1, 3, 2]>>
// CHECK-NEXT:   func.return %clipped : tensor<1x8x64x16xf32, #npu.layout<Tensor, [0, 1, 3, 2]>>

/// If @prefill is called more often, its result has the order of its argument.
// PREFILL:      func.func @prefill(%x: tensor<1x16x8x64xf32, #npu.layout<Tensor>>) -> (tensor<1x16x8x64xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
// PREFILL-NEXT:   %k = npu.relabel %x
// PREFILL:      %past: tensor<1x16x8x64xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// PREFILL-NEXT:   %past_1 = npu.transpose %past permutation = [0, 2, 3, 1]

/// A layout that is named for one end is that of all, and an end that is kept keeps all.
// NAMED:      func.func @prefill(%x: tensor<1x16x8x64xf32, #npu.layout<Tensor>>) -> (tensor<1x16x8x64xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
// NAMED:      %past: tensor<1x16x8x64xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// KEPT:       func.func @prefill(%x: tensor<1x16x8x64xf32, #npu.layout<Tensor>>) -> (tensor<1x8x16x64xf32, #npu.layout<Tensor>> {npu.tie = "k"}) {
// KEPT:       %past: tensor<1x8x16x64xf32, #npu.layout<NTensor>> {npu.tie = "k"}

/// Two orders for one tie are an error, with the way between the ends.
// CONTRADICTION: @decode:%past = @prefill:output0 contradicts itself: the first is stored as NTensor, because it is to be kept, and the last as Tensor, [0, 2, 1, 3]

/// Bytes that travel are those of all calls: 65536 in @prefill, and 100864 in each call of @decode and of @clip together.
// TRAFFIC: layout-optimal: 1 transpose (0 absorbed), 32768 bytes, 51707904 bytes travel: proved minimum

/// Costs are those of all calls.
// STATS: layout-optimal: 1 transpose, 32768 bytes: proved minimum
func.func @prefill(%x: tensor<1x16x8x64xf32>) -> (tensor<1x8x16x64xf32> {npu.tie = "k"}) {
  %k = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x16x8x64xf32>) -> tensor<1x8x16x64xf32>
  func.return %k : tensor<1x8x16x64xf32>
}

func.func @decode(%q: tensor<1x8x1x64xf32>, %past: tensor<1x8x16x64xf32> {npu.tie = "k"}) -> tensor<1x8x1x16xf32> attributes {npu.calls = 512 : i64} {
  %t = npu.transpose %past permutation = [0, 1, 3, 2] : (tensor<1x8x16x64xf32>) -> tensor<1x8x64x16xf32>
  %scores = npu.matmul %q, %t : (tensor<1x8x1x64xf32>, tensor<1x8x64x16xf32>) -> tensor<1x8x1x16xf32>
  func.return %scores : tensor<1x8x1x16xf32>
}

func.func @clip(%past: tensor<1x8x16x64xf32> {npu.tie = "k"}) -> (tensor<1x8x16x64xf32> {npu.tie = "k"}) attributes {npu.calls = 512 : i64} {
  %clipped = npu.relu %past : tensor<1x8x16x64xf32>
  func.return %clipped : tensor<1x8x16x64xf32>
}

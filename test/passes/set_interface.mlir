// RUN: npu-opt %s --split-input-file --set-interface="interface=NHWC" | filecheck %s
// RUN: npu-opt %s --split-input-file --set-interface="interface=NHWC" --set-interface="interface=NHWC" | filecheck %s
// RUN: npu-opt %s --split-input-file --set-interface="interface=free" | filecheck %s --check-prefix=FREE
// RUN: npu-opt %s --split-input-file --set-interface="interface=keep" | filecheck %s --check-prefix=KEEP
// RUN: npu-opt %s --split-input-file --set-interface="interface=NHWC" -o %t.mlir 2>&1 | filecheck %s --check-prefix=NOTE
// RUN: npu-opt %s --split-input-file --set-interface="interface=free" -o %t.mlir 2>&1 | filecheck %s --check-prefix=FREED

/// Features of rank 4 are stored as NHWC, with a transpose behind the argument and before the return; a tensor is not.
// NOTE:      interface: %x is stored as NHWC (was NCHW)
// NOTE-NEXT: interface: output0 is stored as NHWC (was NCHW)
// CHECK:      func.func @features(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"},
// CHECK-SAME:   %t: tensor<1x8x4x6xf32, #npu.layout<Tensor>>)
// CHECK-SAME:   -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:   %r = npu.relu %x_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:   %r_1 = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:   func.return %r_1, %t
// KEEP:       func.func @features(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t
func.func @features(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x4x6xf32, #npu.layout<Tensor>>)
    -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) {
  %r = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %r, %t : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>
}

// -----

/// A transpose that does nothing but change the order of an argument or result cancels out, and with `free` it becomes
/// part of the signature.
// CHECK:      func.func @cancel(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// CHECK-SAME:   -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}) {
// CHECK-NEXT:   %r = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:   func.return %r
// FREED:      interface: %x is stored as NHWC (was NCHW)
// FREE:       func.func @cancel(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// FREE-SAME:    -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}) {
// FREE-NEXT:    %r = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FREE-NEXT:    func.return %r
func.func @cancel(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %t = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %r = npu.relu %t : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %u = npu.nhwc2nchw %r : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %u : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Transposes of axes without letters become a relabel of the stored data; a dynamic size moves with its axis.
// FREED:      interface: %x is stored as Tensor, [1, 0] (was Tensor)
// FREED-NEXT: interface: output0 is stored as Tensor, [1, 0] (was Tensor)
// FREE:       func.func @axes(%x: tensor<5x?xf32, #npu.layout<Tensor, [1, 0]>> {npu.interface = "Tensor, [1, 0] (was Tensor)"})
// FREE-SAME:    -> (tensor<?x5xf32, #npu.layout<Tensor, [1, 0]>> {npu.interface = "Tensor, [1, 0] (was Tensor)"}, tensor<5x?xf32, #npu.layout<Tensor>>) {
// FREE-NEXT:    %x_1 = npu.relabel %x : (tensor<5x?xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<5x?xf32, #npu.layout<Tensor>>
// FREE-NEXT:    %r = npu.relu %x_1 : tensor<5x?xf32, #npu.layout<Tensor>>
// FREE-NEXT:    %s = npu.relu %r : tensor<5x?xf32, #npu.layout<Tensor>>
// FREE-NEXT:    %u = npu.transpose %s permutation = [1, 0]
// FREE-NEXT:    %e = npu.exp %u
// FREE-NEXT:    %v = npu.transpose %e permutation = [1, 0]
// FREE-NEXT:    %w = npu.abs %v
// FREE-NEXT:    %f = npu.relabel %e : (tensor<?x5xf32, #npu.layout<Tensor>>) -> tensor<?x5xf32, #npu.layout<Tensor, [1, 0]>>
// FREE-NEXT:    func.return %f, %w
func.func @axes(%x: tensor<?x5xf32, #npu.layout<Tensor>>)
    -> (tensor<5x?xf32, #npu.layout<Tensor>>, tensor<5x?xf32, #npu.layout<Tensor>>) {
  %t = npu.transpose %x permutation = [1, 0]
    : (tensor<?x5xf32, #npu.layout<Tensor>>) -> tensor<5x?xf32, #npu.layout<Tensor>>
  %r = npu.relu %t : tensor<5x?xf32, #npu.layout<Tensor>>
  %s = npu.relu %r : tensor<5x?xf32, #npu.layout<Tensor>>
  %u = npu.transpose %s permutation = [1, 0]
    : (tensor<5x?xf32, #npu.layout<Tensor>>) -> tensor<?x5xf32, #npu.layout<Tensor>>
  %e = npu.exp %u : tensor<?x5xf32, #npu.layout<Tensor>>
  %f = npu.transpose %e permutation = [1, 0]
    : (tensor<?x5xf32, #npu.layout<Tensor>>) -> tensor<5x?xf32, #npu.layout<Tensor>>
  %v = npu.transpose %e permutation = [1, 0]
    : (tensor<?x5xf32, #npu.layout<Tensor>>) -> tensor<5x?xf32, #npu.layout<Tensor>>
  %w = npu.abs %v : tensor<5x?xf32, #npu.layout<Tensor>>
  func.return %f, %w : tensor<5x?xf32, #npu.layout<Tensor>>, tensor<5x?xf32, #npu.layout<Tensor>>
}

// -----

/// An argument that is read in two orders keeps its own. One that is returned, and a value that is returned twice, take
/// the order at each place.
// FREE:       func.func @kept(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// FREE-SAME:    -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
// FREE-NEXT:    %t = npu.nchw2nhwc %x
// FREE-NEXT:    %r = npu.add %t, %y
// FREE-NEXT:    func.return %x, %y, %y
// CHECK:      func.func @kept(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}
// CHECK:        %r = npu.add %x, %y
// CHECK-NEXT:   func.return %x, %y, %y
func.func @kept(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
    -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>,
        tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
  %t = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %u = npu.nchw2nhwc %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %r = npu.add %t, %u : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  func.return %x, %u, %u : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>,
    tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// A result that two transposes lead back to its order keeps it, whatever else reads the value between them.
// FREE:       func.func @back(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
func.func @back(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %t = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %dead = npu.relu %t : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %u = npu.nhwc2nchw %t : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %u : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Functions that are called, private ones and declarations keep their signatures; several that change are named.
// NOTE:      interface: @caller:%x is stored as NHWC (was NCHW)
// NOTE-NEXT: interface: @caller:output0 is stored as NHWC (was NCHW)
// NOTE-NEXT: interface: @other:%x is stored as NHWC (was NCHW)
// CHECK:      func.func private @declared(tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
// CHECK:      func.func @called(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) ->
// CHECK:      func.func private @private(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK:      func.func @caller(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}) ->
// CHECK:        func.call @called(%x_1)
func.func private @declared(tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
func.func @called(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  func.return %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}
func.func private @private(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  func.return
}
func.func @caller(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %r = func.call @called(%x) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %r : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}
func.func @other(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  func.return
}

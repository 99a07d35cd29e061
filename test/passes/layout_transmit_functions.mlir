// RUN: npu-opt %s --layout-transmit --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-transmit --layout-transmit --split-input-file | filecheck %s

/// A call takes the layouts of its callee, which is behind it here, and relabels its operands.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %y: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = func.call @callee(%0) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = func.call @callee(%y) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %p : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @main(%x: tensor<1x4x6x8xf32>, %y: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  %a = func.call @callee(%p) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %b = func.call @callee(%y) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}
func.func private @callee(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  return %p : tensor<1x4x6x8xf32>
}

// -----

/// Callees come first, also where they call further ones.
// CHECK-LABEL: func.func @outer(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = func.call @middle(%x) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func private @middle(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = func.call @inner(%x) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %p : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @outer(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %a = func.call @middle(%x) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  return %a : tensor<1x8x4x6xf32>
}
func.func private @middle(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %a = func.call @inner(%x) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  return %a : tensor<1x8x4x6xf32>
}
func.func private @inner(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  return %p : tensor<1x8x4x6xf32>
}

// -----

/// Arguments and results of a declaration have no letters, unless its types have layouts.
// CHECK-LABEL: func.func private @open(
// CHECK-SAME:    tensor<1x4x6x8xf32, #npu.layout<Tensor>>, i32) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-LABEL: func.func private @typed(
// CHECK-SAME:    tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %y: tensor<1x4x6x8xf32, #npu.layout<Tensor>>, %i: i32) -> (tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x4x6x8xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = func.call @open(%y, %i) : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>, i32) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = func.call @typed(%x) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func private @open(tensor<1x4x6x8xf32>, i32) -> tensor<1x4x6x8xf32>
func.func private @typed(tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32>
func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %y: tensor<1x4x6x8xf32>, %i: i32) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %a = func.call @open(%y, %i) : (tensor<1x4x6x8xf32>, i32) -> tensor<1x4x6x8xf32>
  %b = func.call @typed(%x) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

// -----

/// A function that calls itself takes and gives tensors without letters.
// CHECK-LABEL: func.func @again(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %1 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = func.call @again(%1) : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @again(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %y = func.call @again(%p) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}

// -----

/// So do functions that call each other, whichever is first; a function that only calls them does not.
// CHECK-LABEL: func.func @start(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = func.call @ping(%0) : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %p : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func private @ping(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %1 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = func.call @pong(%1) : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func private @pong(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %p = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %1 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = func.call @ping(%1) : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @start(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %y = func.call @ping(%p) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %p : tensor<1x4x6x8xf32>
}
func.func private @ping(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %y = func.call @pong(%p) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}
func.func private @pong(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  %y = func.call @ping(%p) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}

// -----

/// A function of several blocks is a wall: what goes in, out and from block to block has no letters.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %c: i1, %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    cf.cond_br %c, ^bb1(%x : tensor<1x4x6x8xf32, #npu.layout<Tensor>>), ^bb2
// CHECK-NEXT:  ^bb1(%y: tensor<1x4x6x8xf32, #npu.layout<Tensor>>):
// CHECK-NEXT:    %0 = npu.relabel %y : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %1 = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %1 : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %2 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.max_pool %2 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %3 = npu.relabel %b : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %3 : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @blocks(%c: i1, %x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  cf.cond_br %c, ^bb1(%x : tensor<1x4x6x8xf32>), ^bb2
^bb1(%y: tensor<1x4x6x8xf32>):
  %a = npu.max_pool %y window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  return %a : tensor<1x4x6x8xf32>
^bb2:
  %b = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  return %b : tensor<1x4x6x8xf32>
}

// -----

/// A block may use a value of a block behind it.
// CHECK-LABEL: func.func @later_block(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    cf.br ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %0 = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.relu %0 : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %1 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.max_pool %1 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NEXT:  }
func.func @later_block(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  cf.br ^bb2
^bb1:
  %b = npu.relu %a : tensor<1x4x6x8xf32>
  return %b : tensor<1x4x6x8xf32>
^bb2:
  %a = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  cf.br ^bb1
}

// -----

/// Values that enter or leave the regions of foreign ops have no letters; inside, ops are coloured like all others.
// CHECK-LABEL: func.func @region(
// CHECK-SAME:    %c: i1, %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %y = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %z = scf.if %c -> (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:      %r = npu.max_pool %y window = [2, 2] pads = [0, 0, 1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %0 = npu.relabel %r : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      %s = npu.abs %0 : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      scf.yield %s : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %1 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      scf.yield %1 : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %z : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @region(%c: i1, %x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %y = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %z = scf.if %c -> (tensor<1x4x6x8xf32>) {
    %r = npu.max_pool %y window = [2, 2] pads = [0, 0, 1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
    %s = npu.abs %r : tensor<1x4x6x8xf32>
    scf.yield %s : tensor<1x4x6x8xf32>
  } else {
    scf.yield %x : tensor<1x4x6x8xf32>
  }
  return %z : tensor<1x4x6x8xf32>
}

// -----

/// So do the values that a loop carries.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME:    %n: index, %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %z = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:      %0 = npu.relabel %acc : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %r = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %1 = npu.relabel %r : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      scf.yield %1 : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %z : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @loop(%n: index, %x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<1x4x6x8xf32>) {
    %r = npu.max_pool %acc window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
    scf.yield %r : tensor<1x4x6x8xf32>
  }
  return %z : tensor<1x4x6x8xf32>
}

// -----

/// A function may be empty, have unused arguments, and return a value twice.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME:    ) {
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
// CHECK-LABEL: func.func @unused(
// CHECK-SAME:    %x: tensor<2x3xf32, #npu.layout<Tensor>>, %i: index) {
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
// CHECK-LABEL: func.func @twice(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %p, %x, %p : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @empty() {
  return
}
func.func @unused(%x: tensor<2x3xf32>, %i: index) {
  return
}
func.func @twice(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  return %p, %x, %p : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

// -----

/// The operands of a return have the layouts of the function type.
// CHECK-LABEL: func.func @typed_return(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %p : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @typed_return(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>> {
  %p = npu.relu %x : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  return %p : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
}

// -----

/// Ops in no function are coloured as well.
// CHECK-LABEL: builtin.module {
// CHECK-NEXT:  %x = npu.constant dense<1.000000e+00> : tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %y = npu.relu %x : tensor<4xf32, #npu.layout<Tensor>>
%x = npu.constant dense<1.0> : tensor<4xf32>
%y = npu.relu %x : tensor<4xf32>

// -----

/// A declaration keeps an encoding of another system.
// CHECK-LABEL: func.func private @sparse(
// CHECK-SAME:    tensor<4xf32, "sparse">, tensor<4xf32, #npu.layout<Tensor>>) -> tensor<4xf32, "sparse">
func.func private @sparse(tensor<4xf32, "sparse">, tensor<4xf32>) -> tensor<4xf32, "sparse">

// -----

/// A function of another system has a signature of its own, and is left alone.
// CHECK-LABEL: builtin.module {
// CHECK-NEXT:  x86_func.func @other(%x: tensor<4xf32>) {
// CHECK-NEXT:    %y = npu.relu %x : tensor<4xf32>
// CHECK-NEXT:    x86_func.ret
// CHECK-NEXT:  }
x86_func.func @other(%x: tensor<4xf32>) {
  %y = npu.relu %x : tensor<4xf32>
  x86_func.ret
}

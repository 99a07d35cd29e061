// RUN: npu-opt %s --target=%S/Inputs/recompute.toml --layout-optimal --canonicalize --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --check-prefix=COST < %t
// RUN: npu-opt %s --target=%S/Inputs/recompute.toml --layout-optimal --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/recompute.toml --layout-optimal --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: npu-opt %s --target=%S/Inputs/recompute.toml --layout-optimal=recompute=false --stats --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=ONCE
// RUN: npu-opt %s --target=%S/Inputs/recompute.toml --layout-optimal=cost=bytes --stats --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: npu-opt %s --target=%S/Inputs/recompute.toml --layout-optimal --why=@chain:%r --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY
// RUN: npu-opt %s --target=%S/Inputs/recompute.toml --layout-optimal --debug-counter layout-optimal=100 --split-input-file 2>%t.notes | filecheck %s --check-prefix=COUNTER

/// No op runs twice where that is turned off, and where a unit counts that has no prices.
// ONCE:       layout-optimal: 1 transpose, 512 bytes, 612 cycles: proved minimum
// ONCE-NEXT:  layout-optimal: 1 transpose, 512 bytes, 612 cycles: proved minimum
// ONCE-NEXT:  layout-optimal: 1 transpose, 512 bytes, 612 cycles: proved minimum
// ONCE-NEXT:  layout-optimal: 1 transpose, 1024 bytes, 1124 cycles: proved minimum
// BYTES:      layout-optimal: 1 transpose, 512 bytes: proved minimum
// BYTES-NEXT: layout-optimal: 1 transpose, 512 bytes: proved minimum
// BYTES-NEXT: layout-optimal: 1 transpose, 512 bytes: proved minimum
// BYTES-NEXT: layout-optimal: 1 transpose, 1024 bytes: proved minimum

/// Nothing runs twice where changes are counted.
// COUNTER:      %b = npu.broadcast
// COUNTER-NEXT: %s = npu.add %b, %y
// COUNTER-NEXT: %t = npu.transpose %b

/// The reason for a value names the forms of its op, and what the second one saves.
// WHY:      layout-optimal: %r stays in NCHW
// WHY:        in all, if each op runs once: 1 transpose, 512 bytes, 612 cycles: proved minimum
// WHY-NEXT:   %r sigmoid runs twice, in NCHW and in NHWC, for 153.6 cycles: that saves 280.4 cycles
// WHY-NEXT:   with 2 ops that run twice: 331.6 cycles in all, 331.6 of them for the second runs

/// A broadcast that is read in two orders runs twice for 178 cycles; a transpose of its result takes 612.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT:  %b = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %b_1 = npu.broadcast %x axes = [0, 3, 1, 2] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %s = npu.add %b, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %m = npu.mirror %b_1 axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// COST: layout-optimal: 0 transposes, 0 bytes, 0 cycles, and 1 op runs twice for 178 cycles: proved minimum
func.func @broadcast(%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %b = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %b, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %b permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// All ops between what they read in any order and two orders run twice.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:  %b = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %b_1 = npu.broadcast %x axes = [0, 3, 1, 2] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %r = npu.sigmoid %b : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %r_1 = npu.sigmoid %b_1 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %s = npu.add %r, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %m = npu.mirror %r_1 axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// COST: layout-optimal: 0 transposes, 0 bytes, 0 cycles, and 2 ops run twice for 331.6 cycles: proved minimum
func.func @chain(%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %b = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %r = npu.sigmoid %b : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %r, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// The numbers of 8 bits are transposed, and cast in both orders.
// CHECK-LABEL: func.func @cast
// CHECK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x4x4x8xi8, #npu.layout<NHWC>>
// CHECK-NEXT:  %c = npu.cast %x : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %c_1 = npu.cast %x_1 : (tensor<1x4x4x8xi8, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %m = npu.mirror %c_1 axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %c, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// COST: layout-optimal: 1 transpose, 128 bytes, 228 cycles, and 1 op runs twice for 115.2 cycles: proved minimum
func.func @cast(%x: tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %c = npu.cast %x : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %c, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// Weights are dequantised in two orders, once for all calls: that costs nothing at run time.
// CHECK-LABEL: func.func @weights
// CHECK-NEXT:  %q = npu.constant dense<3> : tensor<16x16xi8, #npu.layout<Tensor>>
// CHECK-NEXT:  %q_1 = npu.constant dense<3> : tensor<16x16xi8, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:  %scale = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// CHECK-NEXT:  %zero = npu.constant dense<1> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:  %w = npu.dequantize %q, %scale, %zero : (tensor<16x16xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %w_1 = npu.dequantize %q_1, %scale, %zero : (tensor<16x16xi8, #npu.layout<Tensor, [1, 0]>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<16x16xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:  %a = npu.matmul %x, %w : (tensor<4x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<4x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %t = npu.relabel %w_1 : (tensor<16x16xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %b = npu.matmul %y, %t : (tensor<4x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<4x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %a, %b : tensor<4x16xf32, #npu.layout<Tensor>>, tensor<4x16xf32, #npu.layout<Tensor>>
// COST: layout-optimal: 0 transposes, 0 bytes, 0 cycles, and 1 op runs twice for 0 cycles: proved minimum
func.func @weights(%x: tensor<4x16xf32, #npu.layout<Tensor>>, %y: tensor<4x16xf32, #npu.layout<Tensor>>) -> (tensor<4x16xf32, #npu.layout<Tensor>>, tensor<4x16xf32, #npu.layout<Tensor>>) {
  %q = npu.constant dense<3> : tensor<16x16xi8, #npu.layout<Tensor>>
  %scale = npu.constant dense<0.5> : tensor<f32, #npu.layout<Tensor>>
  %zero = npu.constant dense<1> : tensor<i8, #npu.layout<Tensor>>
  %w = npu.dequantize %q, %scale, %zero : (tensor<16x16xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %a = npu.matmul %x, %w : (tensor<4x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<4x16xf32, #npu.layout<Tensor>>
  %t = npu.transpose %w permutation = [1, 0] : (tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %b = npu.matmul %y, %t : (tensor<4x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<4x16xf32, #npu.layout<Tensor>>
  func.return %a, %b : tensor<4x16xf32, #npu.layout<Tensor>>, tensor<4x16xf32, #npu.layout<Tensor>>
}

// -----

/// The price of numbers of 16 bits is above that of a transpose.
// CHECK-LABEL: func.func @dear
// CHECK-NEXT:  %p = npu.softmax %x axis = 3 : tensor<1x8x4x4xf16, #npu.layout<NCHW>>
// CHECK-NEXT:  %c = npu.sigmoid %p : tensor<1x8x4x4xf16, #npu.layout<NCHW>>
// CHECK-NEXT:  %t = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf16, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf16, #npu.layout<NHWC>>
// CHECK-NEXT:  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf16, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %c, %m : tensor<1x8x4x4xf16, #npu.layout<NCHW>>, tensor<1x4x4x8xf16, #npu.layout<NHWC>>
// COST: layout-optimal: 1 transpose, 256 bytes, 356 cycles: proved minimum
func.func @dear(%x: tensor<1x8x4x4xf16, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf16, #npu.layout<NCHW>>, tensor<1x4x4x8xf16, #npu.layout<NHWC>>) {
  %p = npu.softmax %x axis = 3 : tensor<1x8x4x4xf16, #npu.layout<NCHW>>
  %c = npu.sigmoid %p : tensor<1x8x4x4xf16, #npu.layout<NCHW>>
  %t = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf16, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf16, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf16, #npu.layout<NHWC>>
  func.return %c, %m : tensor<1x8x4x4xf16, #npu.layout<NCHW>>, tensor<1x4x4x8xf16, #npu.layout<NHWC>>
}

// -----

/// An op without a price runs once.
// CHECK-LABEL: func.func @no_price
// CHECK-NEXT:  %p = npu.softmax %x axis = 3 : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %t = npu.transpose %p permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %p, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// COST: layout-optimal: 1 transpose, 512 bytes, 612 cycles: proved minimum
func.func @no_price(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %p = npu.softmax %x axis = 3 : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %p permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %p, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// A second run counts in each call.
// CHECK-LABEL: func.func @calls
// CHECK-NEXT:  %b = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %b_1 = npu.broadcast %x axes = [0, 3, 1, 2] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %s = npu.add %b, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %m = npu.mirror %b_1 axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// COST: layout-optimal: 0 transposes, 0 bytes, 0 cycles, and 1 op runs twice for 1780 cycles: proved minimum
func.func @calls(%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) attributes {npu.calls = 10 : i64} {
  %b = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %b, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %b permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// A copy has views of its own.
// CHECK-LABEL: func.func @views
// CHECK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x4x4x8xi8, #npu.layout<NHWC>>
// CHECK-NEXT:  %n = npu.mirror %x_1 axes = [1] : tensor<1x4x4x8xi8, #npu.layout<NHWC>>
// CHECK-NEXT:  %n_1 = npu.transpose %n permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xi8, #npu.layout<NHWC>>) -> tensor<1x8x4x4xi8, #npu.layout<NCHW>>
// CHECK-NEXT:  %c = npu.cast %n_1 : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %c_1 = npu.cast %n : (tensor<1x4x4x8xi8, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %f = npu.reshape %c : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %m = npu.mirror %c_1 axes = [2] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %m_1 = npu.transpose %m permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %f, %m_1 : tensor<1x8x16xf32, #npu.layout<Tensor>>, tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// COST: layout-optimal: 3 transposes, 768 bytes, 1068 cycles, and 1 op runs twice for 115.2 cycles: proved minimum
func.func @views(%x: tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> (tensor<1x8x16xf32, #npu.layout<Tensor>>, tensor<1x8x4x4xf32, #npu.layout<NCHW>>) {
  %n = npu.mirror %x axes = [2] : tensor<1x8x4x4xi8, #npu.layout<NCHW>>
  %c = npu.cast %n : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %f = npu.reshape %c : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x16xf32, #npu.layout<Tensor>>
  %r = npu.reshape %f : (tensor<1x8x16xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %m = npu.mirror %r axes = [3] : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  func.return %f, %m : tensor<1x8x16xf32, #npu.layout<Tensor>>, tensor<1x8x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Both operands would be transposed for a second run, which saves one transpose.
// CHECK-LABEL: func.func @not_cheaper
// CHECK-NEXT:  %s = npu.add %x, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %t = npu.transpose %s permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// COST: layout-optimal: 1 transpose, 512 bytes, 612 cycles: proved minimum
func.func @not_cheaper(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %s = npu.add %x, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %s permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// RUN: npu-opt %s --allow-unregistered-dialect --fuse-ops --split-input-file | filecheck %s
// RUN: npu-opt %s --allow-unregistered-dialect --fuse-ops --fuse-ops --split-input-file | filecheck %s

/// A constant of one element moves into each group that reads it, and stays for the op that is in none.
// CHECK-LABEL: func.func @constants
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %relu = func.call @fused_mul_relu(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %soft = npu.softmax %relu axis = 1 : tensor<4x6xf32>
// CHECK-NEXT:    %abs = func.call @fused_mul_abs(%soft) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %soft2 = npu.softmax %abs axis = 1 : tensor<4x6xf32>
// CHECK-NEXT:    %c = npu.mul %soft2, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %c : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_mul_relu
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %a = npu.mul %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %relu = npu.relu %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %relu : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_mul_abs
// CHECK-SAME:    (%soft: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %b = npu.mul %soft, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %abs = npu.abs %b : tensor<4x6xf32>
// CHECK-NEXT:    func.return %abs : tensor<4x6xf32>
func.func @constants(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %two = npu.constant dense<2.0> : tensor<f32>
  %a = npu.mul %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %relu = npu.relu %a : tensor<4x6xf32>
  %soft = npu.softmax %relu axis = 1 : tensor<4x6xf32>
  %b = npu.mul %soft, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %abs = npu.abs %b : tensor<4x6xf32>
  %soft2 = npu.softmax %abs axis = 1 : tensor<4x6xf32>
  %c = npu.mul %soft2, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  func.return %c : tensor<4x6xf32>
}

// -----

/// A constant of one element used only by groups is moved into them; a larger one is an argument, in the order of uses.
// CHECK-LABEL: func.func @arguments
// CHECK-SAME:    (%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %big = npu.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<1x6xf32>
// CHECK-NEXT:    %d = func.call @fused_mul_add_sub(%x, %big, %y) : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %d : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_mul_add_sub
// CHECK-SAME:    (%x: tensor<4x6xf32>, %big: tensor<1x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %a = npu.mul %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %sum = npu.add %a, %big : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %d = npu.sub %y, %sum : tensor<4x6xf32>
// CHECK-NEXT:    func.return %d : tensor<4x6xf32>
func.func @arguments(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %big = npu.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]> : tensor<1x6xf32>
  %two = npu.constant dense<2.0> : tensor<f32>
  %a = npu.mul %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %sum = npu.add %a, %big : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  %d = npu.sub %y, %sum : tensor<4x6xf32>
  func.return %d : tensor<4x6xf32>
}

// -----

/// Groups of the same ops get different names, also where a name is taken by a function of somebody else.
// CHECK-LABEL: func.func @first
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %b = func.call @fused_relu_abs_1(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func @second
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %b = func.call @fused_relu_abs_2(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func @fused_relu_abs
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %b = npu.neg %x : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_relu_abs_1
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_relu_abs_2
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
func.func @first(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = npu.relu %x : tensor<4x6xf32>
  %b = npu.abs %a : tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}
func.func @second(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = npu.relu %x : tensor<4x6xf32>
  %b = npu.abs %a : tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}
func.func @fused_relu_abs(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %b = npu.neg %x : tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}

// -----

/// Functions that are a group already, or for another compiler, are left alone, and so are declarations.
// CHECK-LABEL: func.func @primitive
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func @compiled
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.compiler = "other"} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func private @declared
// CHECK-SAME:    (tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @primitive(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
  %a = npu.relu %x : tensor<4x6xf32>
  %b = npu.abs %a : tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}
func.func @compiled(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.compiler = "other"} {
  %a = npu.relu %x : tensor<4x6xf32>
  %b = npu.abs %a : tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}
func.func private @declared(tensor<4x6xf32>) -> tensor<4x6xf32>

// -----

/// A function lands in the module of the one it came from.
// CHECK-LABEL: builtin.module @inner {
// CHECK-LABEL: func.func @nested
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %b = func.call @fused_relu_abs(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_relu_abs
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
builtin.module {
builtin.module @inner {
func.func @nested(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = npu.relu %x : tensor<4x6xf32>
  %b = npu.abs %a : tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}
}
}

// -----

/// Ops with side effects stay outside, in program order, and so do their producers.
// CHECK-LABEL: func.func @effects
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    "other.print"(%a) : (tensor<4x6xf32>) -> ()
// CHECK-NEXT:    %c = func.call @fused_abs_neg(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    "other.print"(%c) : (tensor<4x6xf32>) -> ()
// CHECK-NEXT:    %e = func.call @fused_exp_tanh(%c) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %e : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_abs_neg
// CHECK-SAME:    (%a: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    %c = npu.neg %b : tensor<4x6xf32>
// CHECK-NEXT:    func.return %c : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_exp_tanh
// CHECK-SAME:    (%c: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %d = npu.exp %c : tensor<4x6xf32>
// CHECK-NEXT:    %e = npu.tanh %d : tensor<4x6xf32>
// CHECK-NEXT:    func.return %e : tensor<4x6xf32>
func.func @effects(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = npu.relu %x : tensor<4x6xf32>
  "other.print"(%a) : (tensor<4x6xf32>) -> ()
  %b = npu.abs %a : tensor<4x6xf32>
  %c = npu.neg %b : tensor<4x6xf32>
  "other.print"(%c) : (tensor<4x6xf32>) -> ()
  %d = npu.exp %c : tensor<4x6xf32>
  %e = npu.tanh %d : tensor<4x6xf32>
  func.return %e : tensor<4x6xf32>
}

// -----

/// A value used inside a region is used outside of the graph.
// CHECK-LABEL: func.func @region
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %b = func.call @fused_relu_abs(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %r = "other.region"() ({
// CHECK-NEXT:    %z = npu.neg %b : tensor<4x6xf32>
// CHECK-NEXT:    "other.yield"(%z) : (tensor<4x6xf32>) -> ()
// CHECK-NEXT:    }) : () -> tensor<4x6xf32>
// CHECK-NEXT:    %d = func.call @fused_add_neg(%b, %r) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %d : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_relu_abs
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.abs %a : tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_add_neg
// CHECK-SAME:    (%b: tensor<4x6xf32>, %r: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %c = npu.add %b, %r : tensor<4x6xf32>
// CHECK-NEXT:    %d = npu.neg %c : tensor<4x6xf32>
// CHECK-NEXT:    func.return %d : tensor<4x6xf32>
func.func @region(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = npu.relu %x : tensor<4x6xf32>
  %b = npu.abs %a : tensor<4x6xf32>
  %r = "other.region"() ({
  %z = npu.neg %b : tensor<4x6xf32>
  "other.yield"(%z) : (tensor<4x6xf32>) -> ()
  }) : () -> tensor<4x6xf32>
  %c = npu.add %b, %r : tensor<4x6xf32>
  %d = npu.neg %c : tensor<4x6xf32>
  func.return %d : tensor<4x6xf32>
}

// -----

/// A constant of one element that two groups read, one of them twice, is in both of them once and gone from where it was.
// CHECK-LABEL: func.func @gone
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
// CHECK-NEXT:    %b = func.call @fused_mul_add(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %d = func.call @fused_sub_neg(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %b, %d : tensor<4x6xf32>, tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_mul_add
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %a = npu.mul %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %b = npu.add %a, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %b : tensor<4x6xf32>
// CHECK-LABEL: func.func private @fused_sub_neg
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %c = npu.sub %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    %d = npu.neg %c : tensor<4x6xf32>
// CHECK-NEXT:    func.return %d : tensor<4x6xf32>
func.func @gone(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %two = npu.constant dense<2.0> : tensor<f32>
  %a = npu.mul %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %b = npu.add %a, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %c = npu.sub %x, %two : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %d = npu.neg %c : tensor<4x6xf32>
  func.return %b, %d : tensor<4x6xf32>, tensor<4x6xf32>
}

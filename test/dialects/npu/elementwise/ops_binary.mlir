// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Arithmetic on floats.
// CHECK-LABEL: func.func @floats(
func.func @floats(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // CHECK-NEXT: %add = npu.add %a, %b : tensor<2x3xf32>
  %add = npu.add %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %sub = npu.sub %a, %b : tensor<2x3xf32>
  %sub = npu.sub %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %mul = npu.mul %a, %b : tensor<2x3xf32>
  %mul = npu.mul %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %div = npu.div %a, %b : tensor<2x3xf32>
  %div = npu.div %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %mod = npu.mod %a, %b : tensor<2x3xf32>
  %mod = npu.mod %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %pow = npu.pow %a, %b : tensor<2x3xf32>
  %pow = npu.pow %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %max = npu.max %a, %b : tensor<2x3xf32>
  %max = npu.max %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %min = npu.min %a, %b : tensor<2x3xf32>
  %min = npu.min %a, %b : tensor<2x3xf32>
  // CHECK-NEXT: %prelu = npu.prelu %a, %b : tensor<2x3xf32>
  %prelu = npu.prelu %a, %b : tensor<2x3xf32>
  return
}

/// Arithmetic on integers.
// CHECK-LABEL: func.func @integers(
func.func @integers(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // CHECK-NEXT: %add = npu.add %a, %b : tensor<2x3xi32>
  %add = npu.add %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %sub = npu.sub %a, %b : tensor<2x3xi32>
  %sub = npu.sub %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %mul = npu.mul %a, %b : tensor<2x3xi32>
  %mul = npu.mul %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %div = npu.div %a, %b : tensor<2x3xi32>
  %div = npu.div %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %mod = npu.mod %a, %b : tensor<2x3xi32>
  %mod = npu.mod %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %pow = npu.pow %a, %b : tensor<2x3xi32>
  %pow = npu.pow %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %max = npu.max %a, %b : tensor<2x3xi32>
  %max = npu.max %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %min = npu.min %a, %b : tensor<2x3xi32>
  %min = npu.min %a, %b : tensor<2x3xi32>
  // CHECK-NEXT: %prelu = npu.prelu %a, %b : tensor<2x3xi32>
  %prelu = npu.prelu %a, %b : tensor<2x3xi32>
  return
}

/// The sign of a remainder, whose default is not printed.
// CHECK-LABEL: func.func @sign(
func.func @sign(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // CHECK-NEXT: %mod = npu.mod %a, %b : tensor<2x3xi32>
  %mod = npu.mod %a, %b sign = "rhs" : tensor<2x3xi32>
  // CHECK-NEXT: %mod2 = npu.mod %a, %b sign = "lhs" : tensor<2x3xi32>
  %mod2 = npu.mod %a, %b sign = "lhs" : tensor<2x3xi32>
  return
}

/// Logic on truth values and on bits.
// CHECK-LABEL: func.func @logic(
func.func @logic(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>, %i: tensor<2x3xui8>, %j: tensor<2x3xui8>) {
  // CHECK-NEXT: %and = npu.and %a, %b : tensor<2x3xi1>
  %and = npu.and %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: %or = npu.or %a, %b : tensor<2x3xi1>
  %or = npu.or %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: %xor = npu.xor %a, %b : tensor<2x3xi1>
  %xor = npu.xor %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: %and2 = npu.and %i, %j : tensor<2x3xui8>
  %and2 = npu.and %i, %j : tensor<2x3xui8>
  // CHECK-NEXT: %or2 = npu.or %i, %j : tensor<2x3xui8>
  %or2 = npu.or %i, %j : tensor<2x3xui8>
  // CHECK-NEXT: %xor2 = npu.xor %i, %j : tensor<2x3xui8>
  %xor2 = npu.xor %i, %j : tensor<2x3xui8>
  return
}

/// Comparisons of numbers and of truth values have truth values as results.
// CHECK-LABEL: func.func @compare(
func.func @compare(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %p: tensor<2x3xi1>, %q: tensor<2x3xi1>) {
  // CHECK-NEXT: %equal = npu.equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %equal = npu.equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %not_equal = npu.not_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %not_equal = npu.not_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %less = npu.less %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %less = npu.less %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %less_equal = npu.less_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %less_equal = npu.less_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %greater = npu.greater %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %greater = npu.greater %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %greater_equal = npu.greater_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %greater_equal = npu.greater_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %equal2 = npu.equal %p, %q : tensor<2x3xi1>
  %equal2 = npu.equal %p, %q : tensor<2x3xi1>
  return
}

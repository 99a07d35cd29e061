// RUN: NPU_PARSE_DIAG

/// One type is that of one result.

// CHECK: :[[# @LINE + 2]]:3: error: Operation has 1 results, but was given 2 to bind.
func.func @results(%x: tensor<4xf32>) {
  %a, %b = npu.split %x axis = 0 sizes = [4, 0] : tensor<4xf32>
  return
}

// -----

/// One type is that of all operands.

// CHECK: :[[# @LINE + 2]]:20: error: operand is used with type tensor<4xf32>, but has been previously used or defined with type tensor<1xf32>
func.func @operands(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  %a = npu.add %x, %y : tensor<4xf32>
  return
}

// -----

/// The types are needed.

// CHECK: :[[# @LINE + 3]]:3: error: Expected ':'
func.func @missing(%x: tensor<4xf32>) {
  %a = npu.relu %x
  return
}

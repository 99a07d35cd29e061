// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --print-debuginfo | filecheck %s
// RUN: npu-opt %s -f tosa -t tosa | filecheck %s --check-prefix BACK

/// Several functions, calls, declarations, and the attributes of functions, arguments and results. Names are those of the
/// text, or of the locations. Ops keep their locations.
module attributes {torch.debug_module_name = "Net"} {
  func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
  func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
    %sum = tosa.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %sum : tensor<4xf32>
  }
  func.func @main(%arg0: tensor<4xf32> {iree.abi.name = "input"} loc("pixels"), %more: tensor<4xf32>) -> (tensor<4xf32> {iree.abi.name = "output"}) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = call @twice(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = tosa.abs %0 : (tensor<4xf32>) -> tensor<4xf32> loc("layer.1/Abs")
    %2 = tosa.ceil %1 : (tensor<4xf32>) -> tensor<4xf32> loc("rounded"("net.py":7:3))
    %3 = call @elsewhere(%2) : (tensor<4xf32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}

// CHECK:       builtin.module attributes {torch.debug_module_name = "Net"} {
// CHECK:       func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32> loc("{{.*}}functions.mlir":8:3)
// CHECK:       func.func private @twice(%x: tensor<4xf32> loc(unknown)) -> tensor<4xf32> {
// CHECK-NEXT:    %sum = npu.add %x, %x : tensor<4xf32> loc("{{.*}}functions.mlir":10:12)
// CHECK-NEXT:    func.return %sum : tensor<4xf32> loc("{{.*}}functions.mlir":11:5)
// CHECK-NEXT:    } loc("{{.*}}functions.mlir":9:3)
// CHECK:       func.func @main(%pixels: tensor<4xf32> {iree.abi.name = "input"} loc(unknown), %more: tensor<4xf32> loc(unknown)) -> (tensor<4xf32> {iree.abi.name = "output"}) attributes {torch.assume_strict_symbolic_shapes} {
// CHECK-NEXT:    %0 = func.call @twice(%pixels) : (tensor<4xf32>) -> tensor<4xf32> loc("{{.*}}functions.mlir":14:10)
// CHECK-NEXT:    %layer.1_Abs = npu.abs %0 : tensor<4xf32> loc("layer.1/Abs")
// CHECK-NEXT:    %rounded = npu.ceil %layer.1_Abs : tensor<4xf32> loc("rounded"("net.py":7:3))
// CHECK-NEXT:    %1 = func.call @elsewhere(%rounded) : (tensor<4xf32>) -> tensor<4xf32> loc("{{.*}}functions.mlir":17:10)
// CHECK-NEXT:    func.return %1 : tensor<4xf32> loc("{{.*}}functions.mlir":18:5)
// CHECK-NEXT:    } loc("{{.*}}functions.mlir":13:3)

// BACK:       module attributes {torch.debug_module_name = "Net"} {
// BACK:       func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
// BACK:       func.func @main(%arg0: tensor<4xf32> {iree.abi.name = "input"}, %arg1: tensor<4xf32>)
// BACK-SAME:    -> (tensor<4xf32> {iree.abi.name = "output"}) attributes {torch.assume_strict_symbolic_shapes} {
// BACK-NEXT:    %0 = call @twice(%arg0) : (tensor<4xf32>) -> tensor<4xf32>

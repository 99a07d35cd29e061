// RUN: not npu-opt --check-target %S/Inputs/never_met.toml | filecheck %s
// RUN: not npu-opt --check-target %S/Inputs/never_met.toml %s | filecheck %s --check-prefix PROGRAM

/// Demands of a class or rank that their values never have, and of parameters, which stay unchanged.
// CHECK:      {{.*}}never_met.toml:19: error: the demand of weight for 'data' of 'conv2d' is never met: it is a Feature
// CHECK-NEXT: {{.*}}never_met.toml:19: error: the demand of feature for 'kernel' of 'conv2d' is never met: it is a Weight
// CHECK-NEXT: {{.*}}never_met.toml:19: error: the demand of preferred for 'bias' of 'conv2d' is never met: it is a Tensor or NTensor
// CHECK-NEXT: {{.*}}never_met.toml:21: error: the demand of DHWIO for 'kernel' of 'conv3d' is never met: 'ranks' lets values of rank 4 be re-ordered at most
// CHECK-NEXT: {{.*}}never_met.toml:21: error: the demand of weight for 'kernel' of 'conv3d' is never met: 'ranks' lets values of rank 4 be re-ordered at most
// CHECK-NEXT: {{.*}}never_met.toml:21: error: the demand of NHWC for 'data' of 'conv3d' is never met: it is of rank 5
// CHECK-NEXT: {{.*}}never_met.toml:22: error: the demand of OIDHW for 'kernel' of 'conv3d' is never met: 'ranks' lets values of rank 4 be re-ordered at most
// CHECK-NEXT: {{.*}}never_met.toml:24: error: the demand of HWOI for 'data' of 'conv2d_bpw' is never met: it is a Feature
// CHECK-NEXT: {{.*}}never_met.toml:24: error: the demand of NHWC for 'result' of 'conv2d_bpw' is never met: it is a Weight
// CHECK-NEXT: {{.*}}never_met.toml:25: error: the demand of NDHWC for 'input' of 'bilinear' is never met: it is of rank 4
// CHECK-NEXT: {{.*}}never_met.toml:28: error: the demand of NHWC for 'lhs' of 'matmul' is never met: it is a Tensor or NTensor
// CHECK-NEXT: {{.*}}never_met.toml:29: error: the demand of HWOI for 'operand0' of 'vendor.blur' is never met: it is a Feature
// CHECK-NEXT: {{.*}}never_met.toml:29: error: the demand of NHWC for 'operand7' of 'vendor.blur' is never met: it is a parameter, which stays unchanged
// CHECK-NEXT: {{.*}}never_met.toml:30: error: the demand of NHWC for 'operand1' of 'vendor.mix' is never met: it is a parameter, which stays unchanged
// CHECK-NEXT: {{.*}}never_met.toml: 14 errors, 0 notes

/// A rule with demands holds for the ops with a value of which it demands something, a rule without any where its
/// condition does.
// PROGRAM: {{.*}}never_met.toml:26: note: the rule of 'max_pool' holds for 1 of 2 in the program
// PROGRAM: {{.*}}never_met.toml:27: note: the rule of 'relu' holds for 0 of 1 in the program
// PROGRAM: {{.*}}never_met.mlir: 3 ops, 1 with demands
func.func @main(%x: tensor<1x2x4x4xf32>, %v: tensor<1x2x4x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4x4xf32>) {
  %p = npu.max_pool %x window = [3, 3] pads = [1, 1, 1, 1] data_layout = <NCHW> : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %q = npu.max_pool %v window = [3, 3, 3] pads = [1, 1, 1, 1, 1, 1] data_layout = <NCDHW>
    : (tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  %r = npu.relu %p : tensor<1x2x4x4xf32>
  func.return %r, %q : tensor<1x2x4x4xf32>, tensor<1x2x4x4x4xf32>
}

// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Elements for which ONNX Runtime has no kernel are computed in a wider type; integers of odd widths wrap as theirs do.

// CHECK:      main (bfloat16[2] a, int8[2] b, int8[2] c) => (bfloat16[2] x, int8[2] y, int8[2] z)
// CHECK-NEXT:   <int64 constant_0 =  {16}, int64 constant_1 =  {32}>
// CHECK-NEXT: {
// CHECK-NEXT:   [cast] cast = Cast <to: int = 1> (a)
// CHECK-NEXT:   [exp] exp = Exp (cast)
// CHECK-NEXT:   [cast_1] x = Cast <to: int = 16> (exp)
// CHECK-NEXT:   [cast_2] cast_1 = Cast <to: int = 6> (b)
// CHECK-NEXT:   [add] add = Add (cast_1, cast_1)
// CHECK-NEXT:   [cast_3] y = Cast <to: int = 3> (add)
// CHECK-NEXT:   [cast_4] cast_2 = Cast <to: int = 6> (c)
// CHECK-NEXT:   [add_1] add_1 = Add (cast_2, cast_2)
// CHECK-NEXT:   [cast_5] cast_3 = Cast <to: int = 3> (add_1)
// CHECK-NEXT:   [cast_6] cast_4 = Cast <to: int = 7> (cast_3)
// CHECK-NEXT:   [add_2] add_2 = Add (cast_4, constant_0)
// CHECK-NEXT:   [mod] mod = Mod (add_2, constant_1)
// CHECK-NEXT:   [sub] sub = Sub (mod, constant_0)
// CHECK-NEXT:   [cast_7] z = Cast <to: int = 3> (sub)
// CHECK-NEXT: }
func.func @main(%a: tensor<2xbf16>, %b: tensor<2xi8>, %c: tensor<2xi5>) -> (tensor<2xbf16>, tensor<2xi8>, tensor<2xi5>) {
  %x = npu.exp %a : tensor<2xbf16>
  %y = npu.add %b, %b : tensor<2xi8>
  %z = npu.add %c, %c : tensor<2xi5>
  func.return %x, %y, %z : tensor<2xbf16>, tensor<2xi8>, tensor<2xi5>
}

// REQUIRES: litert
// RUN: npu-opt %s -o %t.floats.tflite 2> /dev/null
// RUN: npu-opt %t.floats.tflite | filecheck %s --check-prefix FLOATS
// RUN: npu-opt %t.floats.tflite --recognise-quantised | filecheck %s --check-prefix RECOGNISED
// RUN: npu-opt %s --target=ethos-u55 -o %t.integers.tflite 2> /dev/null
// RUN: npu-opt %t.integers.tflite | filecheck %s --check-prefix INTEGERS
// RUN: npu-opt %s -t "litert{integers-only=true}" -o %t.asked.tflite 2> /dev/null
// RUN: npu-opt %t.asked.tflite | filecheck %s --check-prefix INTEGERS
// RUN: npu-opt %s --target=ethos-u55 -t "litert{integers_only=false}" -o %t.refused.tflite 2> /dev/null
// RUN: npu-opt %t.refused.tflite | filecheck %s --check-prefix FLOATS
// RUN: npu-check %s %t.floats.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-check %t.floats.tflite %t.integers.tflite | filecheck %s --check-prefix SAME
// RUN: not npu-opt %s -t "litert{integers-only=2}" -o %t.none.tflite 2>&1 | filecheck %s --check-prefix VALUE

func.func @main(%x: tensor<2x3xi8>, %y: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %s = npu.constant dense<5.000000e-01> : tensor<f32>
  %t = npu.constant dense<2.500000e-01> : tensor<f32>
  %z = npu.constant dense<3> : tensor<i8>
  %sum = npu.quant_add %x, %y, %s, %z, %t, %z, %s, %z : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  func.return %sum : tensor<2x3xi8>
}

/// A sum of quantised numbers is one of floats, which rounds as ONNX does.
// FLOATS:     npu.dequantize %input0
// FLOATS:     npu.dequantize %input1
// FLOATS:     npu.add
// FLOATS:     npu.quantize
// FLOATS-NOT: npu.quant_add

/// It is read as such, and recognised like any other.
// RECOGNISED:     npu.quant_add %input0, %input1
// RECOGNISED-NOT: npu.add

/// For hardware that computes with integers only, or where the user says so, it is LiteRT's op on integers.
// INTEGERS:     npu.quant_add %input0, %input1
// INTEGERS-NOT: npu.dequantize

/// Both are proved.
// PROVED: proved: {{.*}}quantised.mlir and {{.*}}floats.tflite compute the same
// SAME:   proved: {{.*}}floats.tflite and {{.*}}integers.tflite compute the same

/// The option is true or false.
// VALUE:      npu-opt: error: argument -t/--emit: output format 'litert': option integers-only: expected true or false, found '2'
// VALUE-NEXT: note: its options are: path: str; directory: str; hardware: str = litert; integers-only: bool = false

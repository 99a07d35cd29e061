// RUN: npu-opt %s --target=onnx --layout-optimal --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --check-prefix=REPORT < %t
// RUN: npu-opt %s --target=onnx --layout-optimal="cost=count" --stats --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix=FEWEST
// RUN: npu-opt %s --target=onnx --layout-optimal --layout-optimal --stats --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix=REPORT

/// One transpose of the product would move more than the two of the factors, which were there: they stay.
// CHECK-LABEL: func.func @small_factors
// CHECK-NEXT:    %rows = npu.transpose %x permutation = [1, 0, 2] : (tensor<12x8x1xf32, #npu.layout<Tensor>>) -> tensor<8x12x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %columns = npu.transpose %y permutation = [1, 2, 0] : (tensor<16x8x1xf32, #npu.layout<Tensor>>) -> tensor<8x1x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %product = npu.mul %rows, %columns : (tensor<8x12x1xf32, #npu.layout<Tensor>>, tensor<8x1x16xf32, #npu.layout<Tensor>>) -> tensor<8x12x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %product : tensor<8x12x16xf32, #npu.layout<Tensor>>
// REPORT:      layout-optimal: 2 transposes, 896 bytes: proved minimum
// FEWEST:      layout-optimal: 1 transpose, 6144 bytes: proved minimum
func.func @small_factors(%x: tensor<12x8x1xf32>, %y: tensor<16x8x1xf32>) -> tensor<8x12x16xf32> {
  %rows = npu.transpose %x permutation = [1, 0, 2] : (tensor<12x8x1xf32>) -> tensor<8x12x1xf32>
  %columns = npu.transpose %y permutation = [1, 2, 0] : (tensor<16x8x1xf32>) -> tensor<8x1x16xf32>
  %product = npu.mul %rows, %columns : (tensor<8x12x1xf32>, tensor<8x1x16xf32>) -> tensor<8x12x16xf32>
  func.return %product : tensor<8x12x16xf32>
}

// -----

/// With a transpose of the product as well, one of a factor is enough.
// CHECK-LABEL: func.func @large_product
// CHECK-NEXT:    %rows = npu.relabel %x : (tensor<12x8x1xf32, #npu.layout<Tensor>>) -> tensor<12x8x1xf32, #npu.layout<Tensor, [1, 0, 2]>>
// CHECK-NEXT:    %columns = npu.transpose %y permutation = [1, 2, 0] : (tensor<16x8x1xf32, #npu.layout<Tensor>>) -> tensor<8x1x16xf32, #npu.layout<Tensor>>
// CHECK-NOT:     npu.transpose
// CHECK:         func.return %last : tensor<12x8x16xf32, #npu.layout<Tensor>>
// REPORT:      layout-optimal: 1 transpose, 512 bytes: proved minimum
// FEWEST:      layout-optimal: 1 transpose, 512 bytes: proved minimum
func.func @large_product(%x: tensor<12x8x1xf32>, %y: tensor<16x8x1xf32>) -> tensor<12x8x16xf32> {
  %rows = npu.transpose %x permutation = [1, 0, 2] : (tensor<12x8x1xf32>) -> tensor<8x12x1xf32>
  %columns = npu.transpose %y permutation = [1, 2, 0] : (tensor<16x8x1xf32>) -> tensor<8x1x16xf32>
  %product = npu.mul %rows, %columns : (tensor<8x12x1xf32>, tensor<8x1x16xf32>) -> tensor<8x12x16xf32>
  %last = npu.transpose %product permutation = [1, 0, 2] : (tensor<8x12x16xf32>) -> tensor<12x8x16xf32>
  func.return %last : tensor<12x8x16xf32>
}

// -----

/// Either way there is one transpose: of the value of fewer bytes.
// CHECK-LABEL: func.func @fewer_bytes
// CHECK-NEXT:    %moved = npu.relabel %x : (tensor<6x8xf32, #npu.layout<Tensor>>) -> tensor<6x8xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:    %half = npu.cast %moved : (tensor<6x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<6x8xf16, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:    %half_1 = npu.transpose %half permutation = [1, 0] : (tensor<6x8xf16, #npu.layout<Tensor, [1, 0]>>) -> tensor<8x6xf16, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %half_1 : tensor<8x6xf16, #npu.layout<Tensor>>
// REPORT:      layout-optimal: 1 transpose, 96 bytes: proved minimum
// FEWEST:      layout-optimal: 1 transpose, 96 bytes: proved minimum
func.func @fewer_bytes(%x: tensor<6x8xf32>) -> tensor<8x6xf16> {
  %moved = npu.transpose %x permutation = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %half = npu.cast %moved : (tensor<8x6xf32>) -> tensor<8x6xf16>
  func.return %half : tensor<8x6xf16>
}

// RUN: npu-opt %s --layout-optimal --stats --split-input-file 2>%t | filecheck %s --check-prefix=BYTES
// RUN: filecheck %s --check-prefix=REPORT < %t
// RUN: npu-opt %s --layout-optimal="cost=count time-limit=1" --stats --split-input-file 2>%t | filecheck %s --check-prefix=COUNT
// RUN: filecheck %s --check-prefix=REPORT-COUNT < %t
// RUN: npu-opt %s --layout-optimal="assume=8" --split-input-file | filecheck %s --check-prefix=SMALL
// RUN: not npu-opt %s --layout-optimal="target=nosuch" 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not npu-opt %s --layout-optimal="cost=time" 2>&1 | filecheck %s --check-prefix=COST
// RUN: not npu-opt %s --layout-optimal="assume=0" 2>&1 | filecheck %s --check-prefix=ASSUME

/// Two columns become a plane. Two small transposes move less than one large one, but one is fewer than two.
// BYTES-LABEL: func.func @bytes_or_count
// BYTES-SAME:    (%x: tensor<1x8x6x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x1x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>> {
// BYTES-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x6x1xf32, #npu.layout<NCHW>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x1x6xf32, #npu.layout<NCHW>>) -> tensor<1x1x6x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    %plane = npu.mul %x_1, %y_1 : (tensor<1x6x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    %mirror = npu.mirror %plane axes = [1] : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    func.return %mirror : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// COUNT-LABEL: func.func @bytes_or_count
// COUNT-SAME:    (%x: tensor<1x8x6x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x1x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>> {
// COUNT-NEXT:    %plane = npu.mul %x, %y : (tensor<1x8x6x1xf32, #npu.layout<NCHW>>, tensor<1x8x1x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x6xf32, #npu.layout<NCHW>>
// COUNT-NEXT:    %plane_1 = npu.transpose %plane permutation = [0, 2, 3, 1] : (tensor<1x8x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// COUNT-NEXT:    %mirror = npu.mirror %plane_1 axes = [1] : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// COUNT-NEXT:    func.return %mirror : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// SMALL-LABEL: func.func @bytes_or_count
// SMALL-SAME:    (%x: tensor<1x8x6x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x1x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>> {
// SMALL-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x6x1xf32, #npu.layout<NCHW>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>>
// SMALL-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x1x6xf32, #npu.layout<NCHW>>) -> tensor<1x1x6x8xf32, #npu.layout<NHWC>>
// SMALL-NEXT:    %plane = npu.mul %x_1, %y_1 : (tensor<1x6x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// SMALL-NEXT:    %mirror = npu.mirror %plane axes = [1] : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// SMALL-NEXT:    func.return %mirror : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
func.func @bytes_or_count(%x: tensor<1x8x6x1xf32>, %y: tensor<1x8x1x6xf32>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>> {
  %plane = npu.mul %x, %y : (tensor<1x8x6x1xf32>, tensor<1x8x1x6xf32>) -> tensor<1x8x6x6xf32>
  %mirror = npu.mirror %plane axes = [2] data_layout = <NCHW> : tensor<1x8x6x6xf32>
  %z = npu.transpose %mirror permutation = [0, 2, 3, 1]
    : (tensor<1x8x6x6xf32>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
  func.return %z : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// The number of gathered rows is dynamic. If it is large, all rows are moved before; if it is few, those that
/// were picked are moved. Figures about unknown sizes have a mark.
// BYTES-LABEL: func.func @unknown_size
// BYTES-SAME:    (%x: tensor<1x8x32x4xf32, #npu.layout<NCHW>>, %rows: tensor<?xi64, #npu.layout<Tensor>>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>> {
// BYTES-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x32x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    %picked = npu.gather %x_1, %rows axis = 1 : (tensor<1x32x4x8xf32, #npu.layout<NHWC>>, tensor<?xi64, #npu.layout<Tensor>>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    %mirror = npu.mirror %picked axes = [2] : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// BYTES-NEXT:    func.return %mirror : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// COUNT-LABEL: func.func @unknown_size
// COUNT-SAME:    (%x: tensor<1x8x32x4xf32, #npu.layout<NCHW>>, %rows: tensor<?xi64, #npu.layout<Tensor>>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>> {
// COUNT-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x32x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x8xf32, #npu.layout<NHWC>>
// COUNT-NEXT:    %picked = npu.gather %x_1, %rows axis = 1 : (tensor<1x32x4x8xf32, #npu.layout<NHWC>>, tensor<?xi64, #npu.layout<Tensor>>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// COUNT-NEXT:    %mirror = npu.mirror %picked axes = [2] : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// COUNT-NEXT:    func.return %mirror : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// SMALL-LABEL: func.func @unknown_size
// SMALL-SAME:    (%x: tensor<1x8x32x4xf32, #npu.layout<NCHW>>, %rows: tensor<?xi64, #npu.layout<Tensor>>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>> {
// SMALL-NEXT:    %picked = npu.gather %x, %rows axis = 2 : (tensor<1x8x32x4xf32, #npu.layout<NCHW>>, tensor<?xi64, #npu.layout<Tensor>>) -> tensor<1x8x?x4xf32, #npu.layout<NCHW>>
// SMALL-NEXT:    %picked_1 = npu.transpose %picked permutation = [0, 2, 3, 1] : (tensor<1x8x?x4xf32, #npu.layout<NCHW>>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// SMALL-NEXT:    %mirror = npu.mirror %picked_1 axes = [2] : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
// SMALL-NEXT:    func.return %mirror : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
func.func @unknown_size(%x: tensor<1x8x32x4xf32>, %rows: tensor<?xi64>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>> {
  %picked = npu.gather %x, %rows axis = 2 : (tensor<1x8x32x4xf32>, tensor<?xi64>) -> tensor<1x8x?x4xf32>
  %mirror = npu.mirror %picked axes = [3] data_layout = <NCHW> : tensor<1x8x?x4xf32>
  %z = npu.transpose %mirror permutation = [0, 2, 3, 1]
    : (tensor<1x8x?x4xf32>) -> tensor<1x?x4x8xf32, #npu.layout<NHWC>>
  func.return %z : tensor<1x?x4x8xf32, #npu.layout<NHWC>>
}

/// The remaining cost and its proof. Bytes that depend on an assumed size have a mark.
// REPORT:      layout-optimal: 2 transposes, 384 bytes: proved minimum
// REPORT-NEXT: layout-optimal: 1 transpose, 4096 bytes: proved minimum
// REPORT-COUNT:      layout-optimal: 1 transpose, 1152 bytes: proved minimum
// REPORT-COUNT-NEXT: layout-optimal: 1 transpose, 4096 bytes: proved minimum

/// Targets and costs that do not exist, and a size that is none.
// TARGET: error: unknown target 'nosuch'; expected 'brick', 'daven', 'dunlin', 'ethos-u55', 'ethos-u85', 'litert', 'onnx', 'onnxruntime', 'opu', 'ort-nchwc', 'ort-nchwc8', 'plover', 'rockchip-rk3576', 'rockchip-rk3588', 'sophgo-bm1684x', 'sophgo-bm1684x-int8' or 'torch'
// COST: npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option cost: expected target, bytes, count, traffic, prices or guarded, found 'time'
// ASSUME: npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option assume: expected a size of at least 1, found 0

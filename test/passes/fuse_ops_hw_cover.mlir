// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=GREEDY
// RUN: npu-opt %s --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=COVER
// RUN: npu-opt %s --fuse-ops-hw="strategy=cover" --split-input-file | filecheck %s
// RUN: npu-opt %s --fuse-ops-hw="strategy=cover" --fuse-ops-hw="strategy=cover" --split-input-file | filecheck %s

/// The sum joins the group of the convolution: the relu is written in any case, as it is returned.
// GREEDY:      @whose_group
// GREEDY:      bytes that stay on the chip: 0
// GREEDY-NEXT: bytes that travel: 1536
// COVER:       @whose_group
// COVER:       ## 3: npu.conv2d added to group 0 on ipa
// COVER-NEXT:  ## 4: npu.relu added to group 1 on compare
// COVER-NEXT:  ## 5: npu.add added to group 0 on res_add
// COVER:       bytes that stay on the chip: 256
// COVER-NEXT:  bytes that travel: 1280: proved minimum
// CHECK-LABEL: func.func @whose_group
// CHECK-NEXT:    %relu = npu.relu %r : tensor<1x4x4x4xf32>
// CHECK-NEXT:    %sum = func.call @fused_conv2d_add(%x, %relu) : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %sum, %relu : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
func.func @whose_group(%x: tensor<1x4x4x4xf32>, %r: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %r : tensor<1x4x4x4xf32>
  %sum = npu.add %conv, %relu : tensor<1x4x4x4xf32>
  func.return %sum, %relu : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

/// A group reads a value once. What no stage runs reads and writes as well, and constants do not travel.
// COVER:       @read_once
// COVER:       bytes that stay on the chip: 256
// COVER-NEXT:  bytes that travel: 1024: proved minimum
// CHECK-LABEL: func.func @read_once
// CHECK-NEXT:    %sum = func.call @fused_conv2d_add(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    %soft = npu.softmax %sum axis = 1 : tensor<1x4x4x4xf32>
func.func @read_once(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %sum = npu.add %conv, %x : tensor<1x4x4x4xf32>
  %soft = npu.softmax %sum axis = 1 : tensor<1x4x4x4xf32>
  func.return %soft : tensor<1x4x4x4xf32>
}

// -----

/// Too many sums of two values for all groups to be tried: what is found is not proved.
// COVER:       @pairs
// COVER:       bytes that travel: 4544, at least 3712
func.func @pairs(%x: tensor<4x4xf32>) -> tensor<60x4xf32> {
  %a = npu.relu %x : tensor<4x4xf32>
  %b = npu.relu %x : tensor<4x4xf32>
  %c = npu.relu %x : tensor<4x4xf32>
  %d = npu.relu %x : tensor<4x4xf32>
  %e = npu.relu %x : tensor<4x4xf32>
  %f = npu.relu %x : tensor<4x4xf32>
  %ab = npu.add %a, %b : tensor<4x4xf32>
  %ac = npu.add %a, %c : tensor<4x4xf32>
  %ad = npu.add %a, %d : tensor<4x4xf32>
  %ae = npu.add %a, %e : tensor<4x4xf32>
  %af = npu.add %a, %f : tensor<4x4xf32>
  %bc = npu.add %b, %c : tensor<4x4xf32>
  %bd = npu.add %b, %d : tensor<4x4xf32>
  %be = npu.add %b, %e : tensor<4x4xf32>
  %bf = npu.add %b, %f : tensor<4x4xf32>
  %cd = npu.add %c, %d : tensor<4x4xf32>
  %ce = npu.add %c, %e : tensor<4x4xf32>
  %cf = npu.add %c, %f : tensor<4x4xf32>
  %de = npu.add %d, %e : tensor<4x4xf32>
  %df = npu.add %d, %f : tensor<4x4xf32>
  %ef = npu.add %e, %f : tensor<4x4xf32>
  %all = npu.concat %ab, %ac, %ad, %ae, %af, %bc, %bd, %be, %bf, %cd, %ce, %cf, %de, %df, %ef axis = 0 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<60x4xf32>
  func.return %all : tensor<60x4xf32>
}

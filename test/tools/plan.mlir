// RUN: npu-opt %s --layout-optimal --save-plan %t.toml -o %t.mlir
// RUN: filecheck %s --check-prefix=SAVED --input-file=%t.toml
// RUN: sed 's/^"%add" = "Tensor" /"%add" = "Tensor, [0, 2, 1]" /' %t.toml > %t.edited.toml
// RUN: npu-opt %s --layout-optimal --stats --plan %t.edited.toml --save-plan %t.again.toml -o %t.pinned.mlir 2>&1 | filecheck %s --check-prefix=EDITED
// RUN: npu-check %s %t.pinned.mlir | filecheck %s --check-prefix=EQUAL
// RUN: filecheck %s --check-prefix=AGAIN --input-file=%t.again.toml
// RUN: npu-opt %s --layout-optimal --plan %t.again.toml --why=%add -o %t.other.mlir 2>&1 | filecheck %s --check-prefix=WHY
// RUN: diff %t.other.mlir %t.pinned.mlir
// RUN: npu-opt %s --layout-optimal --plan %t.toml 2>&1 | diff - %t.mlir

// RUN: echo '[pins]' > %t.pins.toml
// RUN: cp %t.pins.toml %t.a.toml && echo 'conv = "NCHW"' >> %t.a.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.a.toml 2>&1 | filecheck %s --check-prefix=DEMAND
// RUN: cp %t.pins.toml %t.b.toml && echo 'covn = "NHWC"' >> %t.b.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.b.toml 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: cp %t.pins.toml %t.c.toml && echo 'input1 = "NHWC"' >> %t.c.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.c.toml 2>&1 | filecheck %s --check-prefix=ARGUMENT
// RUN: cp %t.pins.toml %t.d.toml && echo 'kernel = "HWOI"' >> %t.d.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.d.toml 2>&1 | filecheck %s --check-prefix=CONSTANT
// RUN: cp %t.pins.toml %t.e.toml && echo 'add = "NHWC"' >> %t.e.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.e.toml 2>&1 | filecheck %s --check-prefix=CLASS
// RUN: cp %t.pins.toml %t.f.toml && echo 'add = "Tensor, [1, 0]"' >> %t.f.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.f.toml 2>&1 | filecheck %s --check-prefix=RANK
// RUN: cp %t.pins.toml %t.g.toml && echo 'conv = "NHWC"' >> %t.g.toml && echo 'reshape1 = "Tensor"' >> %t.g.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.g.toml 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: cp %t.pins.toml %t.h.toml && echo 'conv = "NHCC"' >> %t.h.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.h.toml 2>&1 | filecheck %s --check-prefix=LAYOUT
// RUN: cp %t.pins.toml %t.i.toml && echo 'conv = 3' >> %t.i.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.i.toml 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: cp %t.pins.toml %t.j.toml && echo 'conv "NHWC"' >> %t.j.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.j.toml 2>&1 | filecheck %s --check-prefix=TOML
// RUN: cp %t.pins.toml %t.k.toml && echo 'add = "Tensor"' >> %t.k.toml && echo '"@main:add" = "Tensor, [0, 2, 1]"' >> %t.k.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.k.toml 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: echo '[pin]' > %t.l.toml
// RUN: not npu-opt %s --layout-optimal --plan %t.l.toml 2>&1 | filecheck %s --check-prefix=TABLE
// RUN: not npu-opt %s --layout-optimal --plan %t.none.toml 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not npu-opt %s --layout-preset --plan %t.toml 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not npu-opt %s --layout-preset --save-plan %t.toml 2>&1 | filecheck %s --check-prefix=SAVE

func.func @main(%input1: tensor<1x8x4x6xf32>, %input3: tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32> {
  %kernel = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %conv = npu.conv2d %input1, %kernel data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32>
  func.return %add : tensor<1x8x24xf32>
}

/// The plan has the layout of each value that is stored, with its reason, and each transpose with its cost. Views, such
/// as the reshapes, have no line.
// SAVED:      # The layout of each value, and the reason for it. To pin a value, change its line or move it to [pins].
// SAVED-NEXT: # npu-opt --plan=FILE obeys the pins and prints what each of them costs; all other lines are information.
// SAVED-EMPTY:
// SAVED-NEXT: model = "{{.*}}plan.mlir"
// SAVED-NEXT: target = "opu"
// SAVED-NEXT: options = "layout-optimal"
// SAVED-NEXT: result = "2 transposes, 1536 bytes: proved minimum"
// SAVED-EMPTY:
// SAVED-NEXT: [pins]
// SAVED-EMPTY:
// SAVED-NEXT: [layouts]
// SAVED-NEXT: "%input1" = "NCHW"  # argument %input1 is NCHW
// SAVED-NEXT: #   transposed for %conv conv2d (768 bytes), because %conv conv2d demands NHWC of data (opu.toml:21), but argument %input1 is NCHW
// SAVED-NEXT: "%input3" = "Tensor"  # argument %input3 is Tensor
// SAVED-NEXT: "%conv" = "NHWC"  # %conv conv2d demands NHWC of data (opu.toml:21)
// SAVED-NEXT: #   transposed for %add add (768 bytes), because argument %input3 is Tensor (through %add add), but %conv conv2d demands NHWC of data (opu.toml:21)
// SAVED-NEXT: "%add" = "Tensor"  # output 0 of @main keeps Tensor
// SAVED-EMPTY:
// SAVED-NEXT: # For --plan, to find lines that were changed, and values that have another name in the next model.
// SAVED-NEXT: [saved]
// SAVED-NEXT: "%input1" = "NCHW argument-{{[0-9a-f]+}}"
// SAVED-NEXT: "%input3" = "Tensor argument-{{[0-9a-f]+}}"
// SAVED-NEXT: "%conv" = "NHWC conv2d-{{[0-9a-f]+}}"
// SAVED-NEXT: "%add" = "Tensor add-{{[0-9a-f]+}}"

/// A changed line is a pin. Its price is the difference to the minimum without it; the result is the minimum under it.
// EDITED:      {{.*}}plan.mlir.tmp.edited.toml:17:1: note: pin of %add to Tensor, [0, 2, 1] costs 1 transpose, 768 bytes
// EDITED-NEXT: layout-optimal: 3 transposes, 2304 bytes: proved minimum under 1 pin
// EQUAL:       proved
// AGAIN:       result = "3 transposes, 2304 bytes: proved minimum under 1 pin"
// AGAIN-EMPTY:
// AGAIN-NEXT:  [pins]
// AGAIN-NEXT:  "%add" = "Tensor, [0, 2, 1]"  # costs 1 transpose, 768 bytes
// AGAIN-NEXT:  #   transposed for output 0 of @main (768 bytes), because output 0 of @main keeps Tensor, but %add is pinned to Tensor, [0, 2, 1] ({{.*}}edited.toml:17:1)
// WHY:         layout-optimal: %add is stored in Tensor, [0, 2, 1] instead of Tensor
// WHY-NEXT:      because %add is pinned to Tensor, [0, 2, 1] ({{.*}}again.toml:10:1)

/// Pins that cannot be obeyed are refused, with the place in the plan and what is possible.
// DEMAND:   {{.*}}a.toml:2:1: error: %conv cannot be stored in NCHW: %conv conv2d demands NHWC of data (opu.toml:21); possible: NHWC
// UNKNOWN:  {{.*}}b.toml:2:1: error: the program has no value 'covn'; did you mean '%conv'?
// ARGUMENT: {{.*}}c.toml:2:1: error: %input1 cannot be stored in NHWC: argument %input1 is NCHW, and only --interface=%input1:NHWC changes that
// CONSTANT: {{.*}}d.toml:2:1: error: %kernel is a constant, which is stored for each use as that reads it
// CLASS:    {{.*}}e.toml:2:1: error: %add is a Tensor: NHWC is no permutation of Tensor
// RANK:     {{.*}}f.toml:2:1: error: %add cannot be stored in Tensor, [1, 0]: layout Tensor, [1, 0] is of rank 2, the tensor of rank 3
// BOTH:     {{.*}}g.toml:3:1: error: %reshape1 cannot be stored in Tensor: %conv is pinned to NHWC ({{.*}}g.toml:2:1); possible: Tensor, [0, 2, 1]
// LAYOUT:   {{.*}}h.toml:2:1: error: 'NHCC' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// TEXT:     {{.*}}i.toml:2:1: error: expected the layout of 'conv' as a text such as "NHWC"
// TOML:     {{.*}}j.toml:2:6: error: not TOML: Expected '=' after a key in a key/value pair
// TWICE:    {{.*}}k.toml:3:1: error: '@main:add' is the value that {{.*}}k.toml:2:1 pins to Tensor
// TABLE:    {{.*}}l.toml:1:2: error: unknown key 'pin'; did you mean 'pins'?
// FILE:     {{.*}}none.toml: error: cannot read the plan: No such file or directory
// PASS:     npu-opt: error: argument --plan: no pass in the pipeline obeys pins (--layout-optimal)
// SAVE:     npu-opt: error: argument --save-plan: no pass in the pipeline solves layouts (--layout-optimal)

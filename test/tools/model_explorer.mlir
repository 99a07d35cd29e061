// RUN: npu-opt %s --layout-preset --target=opu -t 'model-explorer{node-data="%t.bytes.json"}' | filecheck %s
// RUN: filecheck %s --check-prefix BYTES < %t.bytes.json
// RUN: not npu-opt %s -o %t.json 2>&1 | filecheck %s --check-prefix ENDING
// RUN: not npu-opt %s -t "model-explorer{nodes=1}" 2>&1 | filecheck %s --check-prefix OPTION --match-full-lines

/// The scopes of the model are namespaces; a scope says how many bytes its transposes move.
func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.125> : tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32> loc("blocks.0/conv/Conv")
  %z = npu.softmax %y axis = 1 : tensor<1x8x4x6xf32> loc("blocks.0/Softmax")
  func.return %z : tensor<1x8x4x6xf32>
}
// CHECK:        "label": "transpose NCHW to NHWC of 1x8x4x6",
// CHECK-NEXT:   "namespace": "blocks.0/conv",
// CHECK:          "key": "bytes",
// CHECK-NEXT:     "value": "768"
// CHECK:          "key": "why",
// CHECK-NEXT:     "value": "layout-preset: %y conv2d demands NHWC of data (opu.toml:21)"
// CHECK:          "sourceNodeId": "0",
// CHECK:          "backgroundColor": "peachpuff"
// CHECK:        "label": "conv2d",
// CHECK-NEXT:   "namespace": "blocks.0/conv",
// CHECK:          "sourceNodeId": "1",
// CHECK:            "key": "tensor_name",
// CHECK-NEXT:       "value": "blocks.0/conv/Conv"
// CHECK:            "key": "shape",
// CHECK-NEXT:       "value": "1x4x6x8xf32 NHWC"
// CHECK:        "groupNodeAttributes": {
// CHECK-NEXT:     "blocks.0/conv": {
// CHECK-NEXT:      "transposes": "1",
// CHECK-NEXT:      "bytes of transposes": "768"
// CHECK-NEXT:     },
// CHECK-NEXT:     "blocks.0": {
// CHECK-NEXT:      "transposes": "2",
// CHECK-NEXT:      "bytes of transposes": "1536"
// CHECK-NEXT:     },
// CHECK-NEXT:     "": {
// CHECK-NEXT:      "transposes": "2",

// BYTES:       "main": {
// BYTES-NEXT:   "name": "bytes of transposes",
// BYTES-NEXT:   "results": {
// BYTES-NEXT:    "1": {
// BYTES-NEXT:     "value": 768
// BYTES-NEXT:    },
// BYTES-NEXT:    "4": {
// BYTES-NEXT:     "value": 768
// BYTES-NEXT:    }

// ENDING: cannot write '{{.*}}.json': -t model-explorer writes a graph as JSON, --stats=json and --remarks=json print JSON to stderr

// OPTION: npu-opt: error: argument -t/--emit: output format 'model-explorer': no option 'nodes'

// SPDX-License-Identifier: Apache-2.0
// runtime.cu -- the functions that the driver gives to kernels: malloc, free, printf, assert. The cubins beside it:
//   nvcc -arch=sm_75 -cubin runtime.cu -o runtime.sm_75.cubin        (sm_90, sm_120 alike)
#include <cassert>
#include <cstdio>
#define KERNEL extern "C" __global__ void

// Every thread builds a list of its own, sums it up and frees it, three times over: the heap serves one round only.
KERNEL lists(unsigned *out) {
  struct node { node *next; unsigned value; };
  unsigned sum = 0, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < 3; round++) {
    node *list = nullptr;
    for (unsigned i = 1; i <= 4; i++) {
      node *n = (node *)malloc(sizeof(node));
      if (!n) { out[me] = 0xdead; return; }
      n->next = list; n->value = i * (me + 1);
      list = n;
    }
    while (list) { node *n = list; sum += n->value; list = n->next; free(n); }
    __syncthreads();
  }
  out[me] = sum;
}

// More than there is: NULL; after it is given back there is room again.
KERNEL full(unsigned *out) {
  char *a = (char *)malloc(3000), *b = (char *)malloc(3000), *c = (char *)malloc(0x7fffffff);
  free(nullptr);
  out[0] = a != nullptr; out[1] = b != nullptr; out[2] = c != nullptr;
  free(a);
  char *d = (char *)malloc(3500);
  out[3] = d != nullptr && ((size_t)d & 15) == 0;
}

KERNEL twice(unsigned *out) {
  void *p = malloc(16);
  free(p);
  out[0] = 1;
  free(p);
}

KERNEL prints(unsigned *out) {
  int n = printf("thread %d of %u: %s%c %5.2f|%-6d|%06x|%lld|%%|%e|%p|%*d\n", threadIdx.x, blockDim.x, "text", '!', 1.5 * threadIdx.x,
                 -7, 0xbeef, -1234567890123ll, 0.5, (void *)0x1234, 4, 42);
  out[threadIdx.x] = n;
}

KERNEL asserts(unsigned *out) {
  assert(out[threadIdx.x] < 2 && "small");
  out[threadIdx.x] = 1;
}

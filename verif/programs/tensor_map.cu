// SPDX-License-Identifier: Apache-2.0
// nvcc: -gencode arch=compute_90a,code=sm_90a
// Tensor maps of the driver, changed by a kernel (tensormap.replace): the result is the map that the driver makes of
// the same arguments.
// prints: tensor_map: cudaSuccess, 128 of 128 bytes as the driver's, 0 wrong
#include <cstdio>
#include <cstring>
#include <cuda.h>

struct fields {
	unsigned long long address, stride;
	unsigned rank, box, dim, step;
};

#define REPLACE(field, type, constraint, ordinal, value)                                                               \
	asm volatile("tensormap.replace.tile." field ".global.b1024." type " [%0], " ordinal "%1;" ::"l"(map),         \
	             constraint(value)                                                                                 \
	             : "memory")

__global__ void replace(CUtensorMap *map, fields f)
{
	REPLACE("global_address", "b64", "l", "", f.address);
	REPLACE("rank", "b32", "r", "", f.rank - 1);
	REPLACE("box_dim", "b32", "r", "0, ", f.box);
	REPLACE("box_dim", "b32", "r", "1, ", f.box);
	REPLACE("box_dim", "b32", "r", "2, ", f.box);
	REPLACE("global_dim", "b32", "r", "0, ", f.dim);
	REPLACE("global_dim", "b32", "r", "1, ", f.dim);
	REPLACE("global_dim", "b32", "r", "2, ", f.dim);
	REPLACE("global_stride", "b64", "l", "0, ", f.stride);
	REPLACE("global_stride", "b64", "l", "1, ", f.stride);
	REPLACE("element_stride", "b32", "r", "1, ", f.step);
	REPLACE("element_stride", "b32", "r", "2, ", f.step);
	REPLACE("elemtype", "b32", "n", "", 0xa); // bf16
	REPLACE("interleave_layout", "b32", "n", "", 1);
	REPLACE("swizzle_mode", "b32", "n", "", 2);
	REPLACE("fill_mode", "b32", "n", "", 1);
}

static decltype(&cuTensorMapEncodeTiled) encode;

// The values that box_dim, global_dim and element_stride take in a kernel are those of the host.
static CUresult make(CUtensorMap *map, CUtensorMapDataType type, unsigned rank, const fields &f,
                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapFloatOOBfill fill)
{
	const cuuint64_t dims[3] = {f.dim, f.dim, f.dim}, strides[2] = {f.stride, f.stride};
	const cuuint32_t box[3] = {f.box, f.box, f.box}, steps[3] = {1, f.step, f.step};
	return encode(map, type, rank, (void *)f.address, dims, strides, box, steps, interleave, swizzle,
	              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, fill);
}

int main()
{
	CUtensorMap start, expected, got, *on_device;
	cudaDriverEntryPointQueryResult found;
	int wrong = 0;
	cudaError_t r = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000,
	                                                 cudaEnableDefault, &found);
	if (r != cudaSuccess || found != cudaDriverEntryPointSuccess) {
		printf("tensor_map: no entry point\n");
		return 1;
	}
	const fields before = {0x7f0000001000, 512, 2, 16, 100, 1};
	const fields after = {0x7f1234567800, (1ull << 39) + 48, 3, 64, 3000000, 7};
	wrong += make(&start, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, before, CU_TENSOR_MAP_INTERLEAVE_NONE,
	              CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS;
	wrong += make(&expected, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, after, CU_TENSOR_MAP_INTERLEAVE_16B,
	              CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA) != CUDA_SUCCESS;
	fields crooked = before;
	crooked.address += 8;
	wrong += make(&got, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, crooked, CU_TENSOR_MAP_INTERLEAVE_NONE,
	              CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_ERROR_INVALID_VALUE;
	cudaMalloc(&on_device, sizeof start);
	cudaMemcpy(on_device, &start, sizeof start, cudaMemcpyDefault);
	replace<<<1, 1>>>(on_device, after);
	r = cudaMemcpy(&got, on_device, sizeof got, cudaMemcpyDefault);
	int same = 0;
	for (unsigned i = 0; i < sizeof got; i++)
		same += ((char *)&got)[i] == ((char *)&expected)[i];
	printf("tensor_map: %s, %d of 128 bytes as the driver's, %d wrong\n", cudaGetErrorName(r), same, wrong);
	return r || same != 128 || wrong;
}

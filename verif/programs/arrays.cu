// SPDX-License-Identifier: Apache-2.0
// Arrays as memory for copies: rows, volumes, layers, array to array. The calls for textures are errors.
// prints: arrays: 0 wrong
#include <cstdio>
#include <vector>

__global__ void twice(int *p, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		p[i] *= 2;
}

static int wrong;
static void expect(cudaError_t r, cudaError_t expected, const char *what)
{
	if (r == expected)
		return;
	wrong++;
	printf("%s: %s instead of %s\n", what, cudaGetErrorName(r), cudaGetErrorName(expected));
}

int main()
{
	constexpr int W = 20, H = 6, D = 3;
	std::vector<int> in(W * H), out(W * H, -1), volume(W * H * D), back(W * H * D, -1);
	for (int i = 0; i < W * H; i++)
		in[i] = 7 * i;
	for (int i = 0; i < W * H * D; i++)
		volume[i] = 1000 + i;
	cudaArray_t a, b, v, line;
	cudaChannelFormatDesc d = cudaCreateChannelDesc<int>(), got;
	cudaExtent e;
	unsigned flags;
	expect(cudaMallocArray(&a, &d, W, H), cudaSuccess, "array");
	expect(cudaMallocArray(&b, &d, W + 4, H), cudaSuccess, "array");
	expect(cudaMallocArray(&line, &d, W), cudaSuccess, "line");
	expect(cudaMalloc3DArray(&v, &d, make_cudaExtent(W, H, D), cudaArrayLayered), cudaSuccess, "layers");
	expect(cudaArrayGetInfo(&got, &e, &flags, v), cudaSuccess, "info");
	wrong += got.x != 32 || got.y || got.f != cudaChannelFormatKindSigned || e.width != W || e.height != H ||
	         e.depth != D || flags != cudaArrayLayered;

	expect(cudaMemcpy2DToArray(a, 0, 0, in.data(), W * 4, W * 4, H, cudaMemcpyDefault), cudaSuccess, "to");
	expect(cudaMemcpy2DArrayToArray(b, 8, 0, a, 0, 0, W * 4, H, cudaMemcpyDeviceToDevice), cudaSuccess, "a to b");
	int *p;
	size_t pitch;
	cudaMallocPitch(&p, &pitch, W * 4, H);
	expect(cudaMemcpy2DFromArray(p, pitch, b, 8, 0, W * 4, H, cudaMemcpyDefault), cudaSuccess, "from");
	twice<<<1, 64>>>(p, pitch / 4 * (H - 1) + W);
	cudaMemcpy2D(out.data(), W * 4, p, pitch, W * 4, H, cudaMemcpyDefault);
	for (int i = 0; i < W * H; i++)
		wrong += out[i] != 14 * i;

	cudaMemcpy3DParms c = {};
	c.srcPtr = make_cudaPitchedPtr(volume.data(), W * 4, W * 4, H);
	c.dstArray = v;
	c.extent = make_cudaExtent(W, H, D); // in elements
	c.kind = cudaMemcpyDefault;
	expect(cudaMemcpy3D(&c), cudaSuccess, "volume to");
	cudaMemcpy3DParms part = {};
	part.srcArray = v;
	part.srcPos = make_cudaPos(5, 2, 1);
	part.dstPtr = make_cudaPitchedPtr(back.data(), W * 4, W * 4, H);
	part.extent = make_cudaExtent(W - 5, H - 2, D - 1);
	part.kind = cudaMemcpyDefault;
	expect(cudaMemcpy3D(&part), cudaSuccess, "volume from");
	for (int z = 0; z < D - 1; z++)
		for (int y = 0; y < H - 2; y++)
			for (int x = 0; x < W - 5; x++)
				wrong += back[(z * H + y) * W + x] != 1000 + ((z + 1) * H + y + 2) * W + x + 5;
	part.extent.width++;
	expect(cudaMemcpy3D(&part), cudaErrorInvalidValue, "too wide");
	expect(cudaMemcpy2DToArray(a, 4, 0, in.data(), W * 4, W * 4, H, cudaMemcpyDefault), cudaErrorInvalidValue,
	       "beyond the row");
	expect(cudaMemcpy2DToArray(a, 0, 1, in.data(), W * 4, W * 4, H, cudaMemcpyDefault), cudaErrorInvalidValue,
	       "beyond the rows");
	d.y = 8;
	expect(cudaMallocArray(&b, &d, W, H), cudaErrorInvalidChannelDescriptor, "channels");
	cudaResourceDesc resource = {};
	cudaTextureDesc texture = {};
	cudaTextureObject_t object;
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a;
	expect(cudaCreateTextureObject(&object, &resource, &texture, nullptr), cudaErrorNotSupported, "texture");
	expect(cudaCreateSurfaceObject(&object, &resource), cudaErrorNotSupported, "surface");
	expect(cudaFreeArray(a), cudaSuccess, "free");
	expect(cudaFreeArray(a), cudaErrorInvalidResourceHandle, "free twice");
	expect(cudaMemcpy3D(&c), cudaSuccess, "another array");
	printf("arrays: %d wrong\n", wrong);
	return wrong;
}

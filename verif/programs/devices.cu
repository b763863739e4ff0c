// SPDX-License-Identifier: Apache-2.0
// wlrun: --devices 2
// Two devices: a thread for each, symbols of each, peer access, copies between them, and memory that both share.
// prints: devices: 2 devices, sums 320 and 640, 0 wrong
#include <cstdio>
#include <cstring>
#include <thread>

__device__ int total;
__global__ void add(int *p, int v)
{
	atomicAdd(p, v);
	atomicAdd(&total, v);
}

static int wrong;
static void expect(cudaError_t r, cudaError_t expected, const char *what)
{
	if (r == expected)
		return;
	wrong++;
	printf("%s: %s instead of %s\n", what, cudaGetErrorName(r), cudaGetErrorName(expected));
}

static int *mine[2], sums[2], totals[2];
static void work(int device)
{
	int now = -1;
	expect(cudaSetDevice(device), cudaSuccess, "set");
	expect(cudaGetDevice(&now), cudaSuccess, "get");
	wrong += now != device;
	cudaMalloc(&mine[device], sizeof(int));
	cudaMemset(mine[device], 0, sizeof(int));
	for (int i = 0; i < 10; i++)
		add<<<1, 32>>>(mine[device], device + 1);
	expect(cudaMemcpy(&sums[device], mine[device], sizeof(int), cudaMemcpyDefault), cudaSuccess, "copy");
	expect(cudaMemcpyFromSymbol(&totals[device], total, sizeof(int)), cudaSuccess, "symbol");
}

int main()
{
	int n = 0, can = 0, got = 0, *managed;
	expect(cudaGetDeviceCount(&n), cudaSuccess, "count");
	cudaDeviceProp a, b;
	expect(cudaGetDeviceProperties(&a, 0), cudaSuccess, "properties");
	expect(cudaGetDeviceProperties(&b, 1), cudaSuccess, "properties");
	expect(cudaGetDeviceProperties(&b, 2), cudaErrorInvalidDevice, "properties");
	wrong += n != 2 || a.pciBusID == b.pciBusID || !memcmp(&a.uuid, &b.uuid, sizeof a.uuid);
	expect(cudaSetDevice(2), cudaErrorInvalidDevice, "set");
	std::thread one(work, 1), zero(work, 0);
	one.join();
	zero.join();
	wrong += sums[0] != 320 || sums[1] != 640 || totals[0] != 320 || totals[1] != 640;

	cudaPointerAttributes where;
	expect(cudaPointerGetAttributes(&where, mine[1]), cudaSuccess, "pointer");
	wrong += where.device != 1;
	expect(cudaMemcpyPeer(mine[0], 0, mine[1], 1, sizeof(int)), cudaSuccess, "peer copy");
	cudaMemcpy(&got, mine[0], sizeof(int), cudaMemcpyDefault);
	wrong += got != 640;
	cudaMemcpy3DPeerParms volume = {};
	volume.srcPtr = make_cudaPitchedPtr(mine[1], 4, 4, 1);
	volume.dstPtr = make_cudaPitchedPtr(mine[0], 4, 4, 1);
	volume.srcDevice = 1;
	volume.extent = make_cudaExtent(4, 1, 1);
	expect(cudaMemcpy3DPeer(&volume), cudaSuccess, "3D peer copy");

	expect(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess, "can");
	expect(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice, "itself");
	expect(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess, "enable");
	expect(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled, "twice");
	add<<<1, 32>>>(mine[1], 1);
	expect(cudaDeviceSynchronize(), cudaSuccess, "peer");
	cudaMemcpy(&got, mine[1], sizeof(int), cudaMemcpyDefault);
	wrong += !can || got != 672;
	expect(cudaDeviceDisablePeerAccess(1), cudaSuccess, "disable");
	expect(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled, "twice");

	cudaMallocManaged(&managed, sizeof(int));
	*managed = 5;
	cudaStream_t stream;
	cudaEvent_t event, other;
	for (int device = 0; device < 2; device++) {
		cudaSetDevice(device);
		add<<<1, 32>>>(managed, 1);
		expect(cudaDeviceSynchronize(), cudaSuccess, "managed");
	}
	wrong += *managed != 69;
	expect(cudaStreamCreate(&stream), cudaSuccess, "stream"); // of device 1
	expect(cudaEventCreate(&event), cudaSuccess, "event");
	expect(cudaEventRecord(event, stream), cudaSuccess, "record");
	cudaSetDevice(0);
	expect(cudaEventCreate(&other), cudaSuccess, "event");
	expect(cudaEventRecord(other, stream), cudaErrorInvalidResourceHandle, "record elsewhere");
	expect(cudaStreamWaitEvent(0, event, 0), cudaSuccess, "wait elsewhere");
	expect(cudaEventSynchronize(event), cudaSuccess, "synchronize elsewhere");
	cudaGetLastError();
	add<<<1, 1, 0, stream>>>(managed, 1);
	expect(cudaGetLastError(), cudaErrorInvalidResourceHandle, "launch elsewhere");
	expect(cudaMemcpyAsync(mine[0], managed, 4, cudaMemcpyDefault, stream), cudaSuccess, "copy elsewhere");

	cudaSetDevice(1);
	expect(cudaDeviceReset(), cudaSuccess, "reset");
	expect(cudaMalloc(&mine[1], 4), cudaSuccess, "after");
	cudaMemset(mine[1], 0, 4);
	add<<<1, 1>>>(mine[1], 3);
	expect(cudaMemcpyFromSymbol(&totals[1], total, sizeof(int)), cudaSuccess, "symbol after");
	cudaSetDevice(0);
	expect(cudaMemcpyFromSymbol(&totals[0], total, sizeof(int)), cudaSuccess, "symbol after");
	wrong += totals[1] != 3 || totals[0] != 320 + 32 + 32;
	printf("devices: %d devices, sums %d and %d, %d wrong\n", n, sums[0], sums[1], wrong);
	return wrong;
}

// SPDX-License-Identifier: Apache-2.0
/* float_kernels.cu -- ordinary CUDA float code, run from the cubins beside it by float_cubin_test.c. Made with
 *   nvcc -arch=sm_75 -cubin -o float_kernels.sm_75.cubin float_kernels.cu        (CUDA 13.0; likewise sm_90)
 * Each kernel writes result k of element i to o[k * n + i]. */
#include <cuda_fp16.h>

#define ELEMENT int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0
#define OUT(value) o[k++ * n + i] = (value)

/* Correctly rounded by definition. */
extern "C" __global__ void single_exact(const float *a, const float *b, const float *c, float *o)
{
	ELEMENT;
	float x = a[i], y = b[i], z = c[i];
	OUT(x / y);
	OUT(__frcp_rn(y));
	OUT(sqrtf(x));
	OUT(fmaf(x, y, z));
	OUT(__fdiv_rd(x, y));
	OUT(__fdiv_ru(x, y));
	OUT(__fdiv_rz(x, y));
	OUT(__fsqrt_rd(x));
	OUT(__fsqrt_ru(x));
	OUT(__fadd_rd(x, y));
	OUT(__fmul_ru(x, y));
	OUT(__fmaf_rz(x, y, z));
	OUT(rintf(x));
	OUT(floorf(x));
	OUT(ceilf(x));
	OUT(truncf(x));
	OUT(roundf(x));
	OUT(fminf(x, y));
	OUT(fmaxf(x, y));
	OUT(copysignf(x, y));
	OUT(fdimf(x, y));
	OUT(fmodf(x, y));
}

/* Within the bounds of the CUDA C++ Programming Guide. */
extern "C" __global__ void single_close(const float *a, const float *b, const float *c, float *o)
{
	ELEMENT;
	float x = a[i], y = b[i];
	OUT(sinf(x));
	OUT(cosf(x));
	OUT(expf(x));
	OUT(logf(y));
	OUT(exp2f(x));
	OUT(log2f(y));
	OUT(powf(y, x));
	OUT(tanhf(x));
	OUT(rsqrtf(y));
	OUT(cbrtf(x));
	OUT(atanf(x));
	OUT(__expf(x));
	OUT(__fdividef(x, y));
}

extern "C" __global__ void double_exact(const double *a, const double *b, const double *c, double *o)
{
	ELEMENT;
	double x = a[i], y = b[i], z = c[i];
	OUT(x / y);
	OUT(__drcp_rn(y));
	OUT(sqrt(x));
	OUT(fma(x, y, z));
	OUT(__ddiv_rd(x, y));
	OUT(__ddiv_ru(x, y));
	OUT(__dsqrt_rz(x));
	OUT(__dadd_ru(x, y));
	OUT(__dmul_rd(x, y));
	OUT(rint(x));
	OUT(floor(x));
	OUT(round(x));
	OUT(fmin(x, y));
	OUT(fmax(x, y));
	OUT((double)(float)x);
	OUT((double)__double2float_rd(x));
}

extern "C" __global__ void double_close(const double *a, const double *b, const double *c, double *o)
{
	ELEMENT;
	double x = a[i], y = b[i];
	OUT(exp(x));
	OUT(log(y));
	OUT(rsqrt(y));
}

/* All as 64-bit patterns. */
extern "C" __global__ void convert(const float *a, const double *b, const long long *c, unsigned long long *o)
{
	ELEMENT;
	float f = a[i];
	double d = b[i];
	long long s = c[i];
	unsigned long long u = (unsigned long long)s;
	OUT((unsigned)__float2int_rn(f));
	OUT((unsigned)__float2int_rz(f));
	OUT((unsigned)__float2int_rd(f));
	OUT(__float2uint_ru(f));
	OUT((unsigned long long)__float2ll_rn(f));
	OUT(__float2ull_rz(f));
	OUT((unsigned)__double2int_rd(d));
	OUT(__double2uint_rn(d));
	OUT((unsigned long long)__double2ll_ru(d));
	OUT(__double2ull_rn(d));
	OUT(__float_as_uint(__int2float_rn((int)s)));
	OUT(__float_as_uint(__uint2float_rz((unsigned)s)));
	OUT(__float_as_uint(__ll2float_ru(s)));
	OUT(__float_as_uint(__ull2float_rn(u)));
	OUT((unsigned long long)__double_as_longlong(__ll2double_rd(s)));
	OUT((unsigned long long)__double_as_longlong(__ull2double_ru(u)));
	OUT((unsigned long long)__double_as_longlong((double)(short)s));
	OUT(__float_as_uint((float)(signed char)s));
	OUT(__half_as_ushort(__float2half_rn(f)));
	OUT(__half_as_ushort(__float2half_rz(f)));
	OUT(__half_as_ushort(__float2half_ru(f)));
	OUT(__half_as_ushort(__double2half(d)));
	OUT(__half_as_ushort(__ll2half_rn(s)));
	OUT(__float_as_uint(__half2float(__ushort_as_half((unsigned short)s))));
	OUT((unsigned)__half2int_rz(__ushort_as_half((unsigned short)s)));
}

/* Pairs of float16 in a word. */
extern "C" __global__ void halves(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *o)
{
	ELEMENT;
	__half2 x = *(const __half2 *)&a[i], y = *(const __half2 *)&b[i], z = *(const __half2 *)&c[i], r[8];
	r[0] = __hadd2(x, y);
	r[1] = __hsub2(x, y);
	r[2] = __hmul2(x, y);
	r[3] = __hfma2(x, y, z);
	r[4] = __hadd2_sat(x, y);
	r[5] = __hlt2(x, y);
	r[6] = __hneu2(x, y);
	r[7] = __halves2half2(__hadd(__low2half(x), __high2half(y)), __hmul(__high2half(x), __low2half(y)));
	for (int j = 0; j < 8; j++)
		OUT(*(unsigned *)&r[j]);
}

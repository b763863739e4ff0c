// SPDX-License-Identifier: Apache-2.0
// arch sm_75
// error __nvvm_atom_mul_gen_i
__attribute__((nvptx_kernel)) void k(int *p)
{
	__nvvm_atom_mul_gen_i(p, 1);
}

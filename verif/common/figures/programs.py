# SPDX-License-Identifier: Apache-2.0
"""PTX of a given size that the figures of the compiler are of."""


def long_kernel(path, lines):
    """One kernel of so many lines: loads, arithmetic, stores, atomics and a branch to a new label in every tenth."""
    body = """$L%(n)d:
 ld.global.u32 %%r%(a)d, [%%rd1+%(n)d];
 mad.lo.s32 %%r%(b)d, %%r%(a)d, 7, %%r1;
 add.s32 %%r2, %%r%(b)d, -1;
 setp.lt.u32 %%p%(p)d, %%r2, 77;
 fma.rn.f32 %%f1, %%f2, 0f3F800000, %%f%(p)d;
 @%%p%(p)d atom.shared.add.u32 %%r3, [%%rd2], 1;
 shfl.sync.bfly.b32 %%r4, %%r%(b)d, 16, 31, -1;
 st.global.v2.f32 [%%rd1+8], {%%f1, %%f2};
 @%%p%(p)d bra $L%(next)d;
"""
    with open(path, "w") as f:
        f.write(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<9>;\n"
                ".reg .b32 %r<99999>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n")
        blocks = lines // 10 - 1
        for n in range(blocks):
            f.write(body % {"n": n, "a": 5 + 2 * n, "b": 6 + 2 * n, "p": n % 8, "next": n + 1})
        f.write("$L%d: ret;\n}\n" % blocks)


def many_kernels(path, count):
    """PTX of so many small kernels."""
    kernel = """.visible .entry kernel_%(n)d(.param .u64 out, .param .u32 n)
{
 .reg .pred %%p<9>;
 .reg .b32 %%r<99>;
 .reg .b64 %%rd<9>;
 ld.param.u64 %%rd1, [out];
 ld.param.u32 %%r1, [n];
 cvta.to.global.u64 %%rd2, %%rd1;
 mov.u32 %%r2, %%tid.x;
 mul.wide.u32 %%rd3, %%r2, 4;
 add.s64 %%rd4, %%rd2, %%rd3;
 ld.global.u32 %%r3, [%%rd4];
%(body)s st.global.u32 [%%rd4], %%r3;
 ret;
}
"""
    body = "".join(" mad.lo.s32 %%r%d, %%r%d, %d, %%r%d;\n xor.b32 %%r3, %%r3, %%r%d;\n" %
                   (5 + k % 8, 3 + k % 2, 3 + 2 * k, 1 + k % 3, 5 + k % 8) for k in range(30))
    with open(path, "w") as f:
        f.write(".version 7.8\n.target sm_75\n.address_size 64\n")
        f.writelines(kernel % {"n": n, "body": body} for n in range(count))

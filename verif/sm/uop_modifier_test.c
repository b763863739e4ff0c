// SPDX-License-Identifier: Apache-2.0
/* uop_modifier_test.c -- modifiers of operands, said twice: the instruction with the modifier must equal the plain
 * instruction on operands changed beforehand. The effect of a modifier on an operand is PTX's: a sign flips the highest
 * bit of a float, |x| clears the bit, .H1_H1 is the high half twice, !P the other value. Instructions of the uniform
 * datapath mean the same as instructions of vector registers; vector instructions have tests against the host.
 *
 * verif/mutation/modifiers shows the need for each row. */
#include "uop_case.h"

enum { ALL = 5 };
static const enum wl_arch archs[ALL] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM120};

struct said_twice {
	const char *archs; /* of `text`: digits of archs[], "01" = sm_75 and sm_80 */
	const char *text, *plain;
	/* changes before `plain`, in order: "R2:neg". Words: neg abs (float32, or the high word of a float64), hneg
	 * habs (both halves), low high (a half for both), inv, f32low f32high (float32 of a half), blow bhigh (of a
	 * bfloat16), "R2=UR4" a copy, "R4=0x40a9" a number. P0: inv, or =UP0. With a leading *: before both
	 * instructions. */
	const char *changes;
	const char *const *values; /* for %s of both texts: each in turn */
};

static const char *const rounds[] = {"", ".RM", ".RP", ".RZ", NULL},
                         *const ways[] = {"", ".FLOOR", ".CEIL", ".TRUNC", NULL},
                         *const compares[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE", "NUM", "NAN",
                                              "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T",  NULL},
                         *const integers[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T", NULL};

static const char *const merges_80[] = {".RELU.MERGE_C", ".BF16.MERGE_C.RZ", NULL}, *const merges[] = {
                                                                                            ".RELU.F16.F32.MERGE_C",
                                                                                            ".BF16.F32.MERGE_C.RZ",
                                                                                            NULL};

/* In rows with TWIN, WIDE or ALLP `plain` is the row of vector registers on sm_90 (VIMNMX: sm_120). */
#define TWIN "R2=UR4 R4=UR6 R6=UR8 P0=UP0"
#define WIDE TWIN " R7=UR9"
#define ALLP "R2=UR4 P0=UP0 P1=UP1 P2=UP2 P3=UP3 P4=UP4 P5=UP5"

static const struct said_twice rows[] = {
        /* float32 */
        {"01234", "FADD R8, |R2|, R4", "FADD R8, R2, R4", "R2:abs", NULL},
        {"01234", "FMUL R8, |R2|, R4", "FMUL R8, R2, R4", "R2:abs", NULL},
        {"01234", "FFMA R8, |R2|, R4, R6", "FFMA R8, R2, R4, R6", "R2:abs", NULL},
        {"01234", "FFMA R8, R2, |R4|, R6", "FFMA R8, R2, R4, R6", "R4:abs", NULL},
        {"01234", "FFMA R8, R2, -R4, R6", "FFMA R8, R2, R4, R6", "R4:neg", NULL},
        {"01234", "FSEL R8, R2, R4, P0", "SEL R8, R2, R4, P0", "", NULL},
        {"01234", "FSEL R8, |R2|, -R4, P0", "SEL R8, R2, R4, P0", "R2:abs R4:neg", NULL},
        {"01234", "FSEL R8, -R2, |R4|, P0", "SEL R8, R2, R4, P0", "R2:neg R4:abs", NULL},
        {"01234", "FSEL R8, R2, R4, !P0", "SEL R8, R2, R4, P0", "P0:inv", NULL},
        {"01234", "FSET.BF.LT.AND R8, |R2|, -R4, P0", "FSET.BF.LT.AND R8, R2, R4, P0", "R2:abs R4:neg", NULL},
        {"01234", "FSET.BF.LT.OR R8, -R2, |R4|, !P0", "FSET.BF.LT.OR R8, R2, R4, P0", "R2:neg R4:abs P0:inv", NULL},
        {"01234", "FSETP.LT.AND P3, P4, |R2|, -R4, P0", "FSETP.LT.AND P3, P4, R2, R4, P0", "R2:abs R4:neg", NULL},
        {"01234", "FSETP.LT.OR P3, P4, -R2, |R4|, !P0", "FSETP.LT.OR P3, P4, R2, R4, P0", "R2:neg R4:abs P0:inv", NULL},
        {"01234", "FMNMX R8, -R2, R4, P0", "FMNMX R8, R2, R4, P0", "R2:neg", NULL},
        {"01234", "FMNMX R8, |R2|, R4, !P0", "FMNMX R8, R2, R4, P0", "R2:abs P0:inv", NULL},
        {"3", "FMNMX3 R8, -R2, |R4|, R6, P0", "FMNMX3 R8, R2, R4, R6, P0", "R2:neg R4:abs", NULL},
        {"3", "FMNMX3 R8, |R2|, -R4, -R6, P0", "FMNMX3 R8, R2, R4, R6, P0", "R2:abs R4:neg R6:neg", NULL},
        {"3", "FMNMX3.FTZ R8, R2, R4, R6, P0", "FMNMX3 R8, R2, R4, R6, P0", "R2:ftz R4:ftz R6:ftz", NULL},
        {"01234", "FCHK P3, |R2|, R4", "FCHK P3, R2, R4", "R2:abs", NULL},
        {"01234", "FCHK P3, -R2, |R4|", "FCHK P3, R2, R4", "R2:neg R4:abs", NULL},
        {"01234", "FCHK P3, R2, -R4", "FCHK P3, R2, R4", "R4:neg", NULL},
        {"01234", "MUFU.RCP R8, |R4|", "MUFU.RCP R8, R4", "R4:abs", NULL},
        {"01234", "F2I.TRUNC.NTZ R8, |R4|", "F2I.TRUNC.NTZ R8, R4", "R4:abs", NULL},
        {"01234", "F2I.TRUNC.NTZ R8, -R4", "F2I.TRUNC.NTZ R8, R4", "R4:neg", NULL},
        {"01234", "FRND.FLOOR R8, R4", "FRND.FLOOR R8, -R4", "R4:neg", NULL},
        {"01234", "FRND.FLOOR R8, |R4|", "FRND.FLOOR R8, R4", "R4:abs", NULL},
        {"01", "FRND.F16.FLOOR R8, R4.H1", "FRND.F16.FLOOR R8, R4", "R4:high", NULL},
        {"01", "F2F.F16.F32 R8, -R4", "F2F.F16.F32 R8, R4", "R4:neg", NULL},
        {"01", "F2F.F16.F32 R8, |R4|", "F2F.F16.F32 R8, R4", "R4:abs", NULL},
        /* constants of halves and of 8 bits: as in a register */
        {"234", "F2I.BF16%s.NTZ R8, 5.28125", "F2I.BF16%s.NTZ R8, R4", "R4=0x40a9", ways},
        {"234", "F2I.S64.BF16%s R8, -9.8125", "F2I.S64.BF16%s R8, R4", "R4=0xc11d", ways},
        {"234", "FRND.BF16%s R8, 5.28125", "FRND.BF16%s R8, R4", "R4=0x40a9", ways},
        {"234", "F2F.F32.BF16 R8, 5.28125", "F2F.F32.BF16 R8, R4", "R4=0x40a9", NULL},
        {"234", "F2F.BF16.F16 R8, 2.330078125", "F2F.BF16.F16 R8, R4", "R4=0x40a9", NULL},
        {"1234", "F2FP.F16.E4M3.UNPACK_B R8, 2.0167487498562767285e-41", "F2FP.F16.E4M3.UNPACK_B R8, R4", "R4=0x3838",
         NULL},
        {"1234", "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, 0.00782680511474609375, R6",
         "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, R6", "R4=0x3c003c00", NULL},
        {"123", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, 1.75, R6",
         "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R4=0x3fe00000", NULL},
        /* float64 */
        {"01234", "DADD R8, |R2|, R4", "DADD R8, R2, R4", "R3:abs", NULL},
        {"01234", "DMUL R8, |R2|, R4", "DMUL R8, R2, R4", "R3:abs", NULL},
        {"01234", "DFMA R8, |R2|, R4, R6", "DFMA R8, R2, R4, R6", "R3:abs", NULL},
        {"01234", "DFMA R8, R2, |R4|, R6", "DFMA R8, R2, R4, R6", "R5:abs", NULL},
        {"01234", "DFMA R8, R2, -R4, R6", "DFMA R8, R2, R4, R6", "R5:neg", NULL},
        {"01234", "DSETP.LT.AND P3, P4, |R2|, -R4, P0", "DSETP.LT.AND P3, P4, R2, R4, P0", "R3:abs R5:neg", NULL},
        {"01234", "DSETP.LT.AND P3, P4, -R2, |R4|, P0", "DSETP.LT.AND P3, P4, R2, R4, P0", "R3:neg R5:abs", NULL},
        /* halves */
        {"01234", "HSET2.BF.LT.AND R8, |R2|, -R4, P0", "HSET2.BF.LT.AND R8, R2, R4, P0", "R2:habs R4:hneg", NULL},
        {"01234", "HSET2.BF.LT.AND R8, -R2, |R4|, !P0", "HSET2.BF.LT.AND R8, R2, R4, P0", "R2:hneg R4:habs P0:inv",
         NULL},
        {"01234", "HSET2.BF.GE.AND R8, R2.H0_H0, R4.H1_H1, P0", "HSET2.BF.GE.AND R8, R2, R4, P0", "R2:low R4:high",
         NULL},
        {"01234", "HSET2.BF.GE.AND R8, R2.H1_H1, R4.H0_H0, P0", "HSET2.BF.GE.AND R8, R2, R4, P0", "R2:high R4:low",
         NULL},
        {"01234", "HSETP2.LT.AND P3, P4, |R2|, -R4, P0", "HSETP2.LT.AND P3, P4, R2, R4, P0", "R2:habs R4:hneg", NULL},
        {"01234", "HSETP2.LT.AND P3, P4, -R2, |R4|, !P0", "HSETP2.LT.AND P3, P4, R2, R4, P0", "R2:hneg R4:habs P0:inv",
         NULL},
        {"01234", "HSETP2.GE.AND P3, P4, R2.H0_H0, R4.H1_H1, P0", "HSETP2.GE.AND P3, P4, R2, R4, P0", "R2:low R4:high",
         NULL},
        {"01234", "HSETP2.GE.AND P3, P4, R2.H1_H1, R4.H0_H0, P0", "HSETP2.GE.AND P3, P4, R2, R4, P0", "R2:high R4:low",
         NULL},
        {"1234", "HMNMX2 R8, R2, -R4, P0", "HMNMX2 R8, R2, R4, P0", "R4:hneg", NULL},
        {"1234", "HMNMX2 R8, -R2, |R4|, !P0", "HMNMX2 R8, R2, R4, P0", "R2:hneg R4:habs P0:inv", NULL},
        {"1234", "HMNMX2 R8, |R2|, R4, P0", "HMNMX2 R8, R2, R4, P0", "R2:habs", NULL},
        {"1234", "HMNMX2 R8, R2.H0_H0, R4.H1_H1, P0", "HMNMX2 R8, R2, R4, P0", "R2:low R4:high", NULL},
        {"1234", "HMNMX2 R8, R2.H1_H1, R4.H0_H0, P0", "HMNMX2 R8, R2, R4, P0", "R2:high R4:low", NULL},
        {"23", "VHMNMX R8, -R2, R4, |R6|, P0", "VHMNMX R8, R2, R4, R6, P0", "R2:hneg R6:habs", NULL},
        {"23", "VHMNMX R8, |R2|, -R4, -R6, !P0", "VHMNMX R8, R2, R4, R6, P0", "R2:habs R4:hneg R6:hneg P0:inv", NULL},
        {"23", "VHMNMX R8, R2, |R4|, R6, P0", "VHMNMX R8, R2, R4, R6, P0", "R4:habs", NULL},
        {"23", "VHMNMX R8, R2.H0_H0, R4.H1_H1, R6.H0_H0, P0", "VHMNMX R8, R2, R4, R6, P0", "R2:low R4:high R6:low",
         NULL},
        {"23", "VHMNMX R8, R2.H1_H1, R4.H0_H0, R6.H1_H1, P0", "VHMNMX R8, R2, R4, R6, P0", "R2:high R4:low R6:high",
         NULL},
        {"34", "FHADD R8, R2, R4", "FADD R8, R2, R4", "R2:f32low", NULL},
        {"34", "FHADD R8, R2.H1, R4", "FADD R8, R2, R4", "R2:f32high", NULL},
        {"34", "FHADD R8, |R2|, -R4", "FADD R8, R2, R4", "R2:f32low R2:abs R4:neg", NULL},
        {"34", "FHADD R8, -R2, |R4|", "FADD R8, R2, R4", "R2:f32low R2:neg R4:abs", NULL},
        {"34", "FHADD.BF16 R8, R2, R4", "FADD R8, R2, R4", "R2:blow", NULL},
        {"34", "FHADD.BF16 R8, R2.H1, R4", "FADD R8, R2, R4", "R2:bhigh", NULL},
        {"34", "FHFMA R8, R2, R4, R6", "FFMA R8, R2, R4, R6", "R2:f32low R4:f32low", NULL},
        {"34", "FHFMA R8, R2.H1, R4.H1, R6", "FFMA R8, R2, R4, R6", "R2:f32high R4:f32high", NULL},
        {"34", "FHFMA R8, |R2|, -R4, R6", "FFMA R8, R2, R4, R6", "R2:f32low R2:abs R4:f32low R4:neg", NULL},
        {"34", "FHFMA R8, -R2, |R4|, -R6", "FFMA R8, R2, R4, R6", "R2:f32low R2:neg R4:f32low R4:abs R6:neg", NULL},
        {"34", "FHFMA R8, R2, R4, |R6|", "FFMA R8, R2, R4, R6", "R2:f32low R4:f32low R6:abs", NULL},
        {"34", "FHFMA.BF16 R8, R2, R4.H1, R6", "FFMA R8, R2, R4, R6", "R2:blow R4:bhigh", NULL},
        /* integers and predicates */
        {"01234", "IMAD.HI.X R8, R2, R4, R6, !P0", "IMAD.HI.X R8, R2, R4, R6, P0", "P0:inv", NULL},
        {"01234", "PLOP3.LUT P3, P4, P0, P1, !P2, 0xca, 0x35", "PLOP3.LUT P3, P4, P0, P1, P2, 0xca, 0x35", "P2:inv",
         NULL},
        {"01234", "PLOP3.LUT P3, P4, !P0, P1, P2, 0xca, 0x35", "PLOP3.LUT P3, P4, P0, P1, P2, 0xca, 0x35", "P0:inv",
         NULL},
        {"01234", "PLOP3.LUT P3, P4, P0, !P1, P2, 0xca, 0x35", "PLOP3.LUT P3, P4, P0, P1, P2, 0xca, 0x35", "P1:inv",
         NULL},
        {"01234", "R2P PR, R2.B2, 0x18", "R2P PR, R2, 0x18", "R2:down16", NULL},
        {"01234", "UFLO.U32 UR10, ~UR4", "FLO.U32 R8, R4", "R4=UR4 R4:inv", NULL},
        {"01234", "USHF.R.S32.HI UR10, UR4, UR6, UR8", "SHF.R.S32.HI R8, R2, R4, R6", TWIN, NULL},
        {"01234", "USHF.R.U64 UR10, UR4, UR6, UR8", "SHF.R.U64 R8, R2, R4, R6", TWIN, NULL},
        {"01234", "USHF.R.S64 UR10, UR4, UR6, UR8", "SHF.R.S64 R8, R2, R4, R6", TWIN, NULL},
        {"01234", "USHF.R.U32.HI UR10, UR4, UR6, UR8", "SHF.R.U32.HI R8, R2, R4, R6", TWIN, NULL},
        {"01234", "UIMAD.U32 UR10, UR4, UR6, -UR8", "IMAD R8, R2, R4, -R6", TWIN, NULL},
        {"01234", "UIMAD.X UR10, UR4, UR6, UR8, !UP0", "IMAD.X R8, R2, R4, R6, P0", TWIN " P0:inv", NULL},
        {"012", "UIADD3.X UR10, UR4, UR6, UR8, !UP0, UP1", "IADD3.X R8, R2, R4, R6, P0, P1", TWIN " P0:inv P1=UP1",
         NULL},
        {"012", "UIADD3.X UR10, UR4, UR6, UR8, UP0, !UP1", "IADD3.X R8, R2, R4, R6, P0, P1", TWIN " P1=UP1 P1:inv",
         NULL},
        {"012", "ULEA.X UR10, UR4, UR6, 0x3, !UP0", "LEA.X R8, R2, R4, 0x3, P0", TWIN " P0:inv", NULL},
        {"012", "ULEA UR10, -UR4, UR6, 0x3", "LEA R8, -R2, R4, 0x3", TWIN, NULL},
        {"01234", "UISETP.F.AND UP3, UP4, UR4, UR6, UP0", "ISETP.F.AND P3, P4, R2, R4, P0", TWIN, NULL},
        {"01234", "UISETP.T.AND UP3, UP4, UR4, UR6, UP0", "ISETP.T.AND P3, P4, R2, R4, P0", TWIN, NULL},
        /* floats and conversions of the uniform datapath */
        {"4", "UF2F.F16.F32 UR10, UR4", "F2FP.F16.F32.PACK_AB R8, RZ, R4", "R4=UR4", NULL},
        {"4", "UFFMA.FTZ UR10, UR4, UR6, UR8", "FFMA.FTZ R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFFMA.FMZ UR10, UR4, UR6, UR8", "FFMA.FMZ R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFFMA.SAT UR10, UR4, UR6, UR8", "FFMA.SAT R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFFMA.RP UR10, UR4, UR6, UR8", "FFMA.RP R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFFMA.RZ UR10, UR4, UR6, UR8", "FFMA.RZ R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFFMA.RM UR10, UR4, UR6, UR8", "FFMA.RM R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFFMA UR10, -UR4, |UR6|, |UR8|", "FFMA R8, R2, R4, R6", TWIN " R2:neg R4:abs R6:abs", NULL},
        {"4", "UFFMA UR10, |UR4|, -UR6, -UR8", "FFMA R8, R2, R4, R6", TWIN " R2:abs R4:neg R6:neg", NULL},
        {"4", "UFMNMX UR10, -UR4, |UR6|, UP0", "FMNMX R8, R2, R4, P0", TWIN " R2:neg R4:abs", NULL},
        {"4", "UFMNMX UR10, |UR4|, -UR6, !UP0", "FMNMX R8, R2, R4, P0", TWIN " R2:abs R4:neg P0:inv", NULL},
        {"4", "UFMNMX.FTZ UR10, UR4, UR6, UP0", "FMNMX.FTZ R8, R2, R4, P0", TWIN, NULL},
        {"4", "UFMNMX.NAN UR10, UR4, UR6, UP0", "FMNMX.NAN R8, R2, R4, P0", TWIN, NULL},
        {"4", "UFMNMX.XORSIGN UR10, UR4, UR6, UP0", "FMNMX.XORSIGN R8, R2, R4, P0", TWIN, NULL},
        {"4", "UFMUL.FMZ UR10, UR4, UR6", "FMUL.FMZ R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL UR10, |UR4|, -UR6", "FMUL R8, R2, R4", TWIN " R2:abs R4:neg", NULL},
        {"4", "UFMUL.RM UR10, UR4, UR6", "FMUL.RM R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.RP UR10, UR4, UR6", "FMUL.RP R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.D2 UR10, UR4, UR6", "FMUL.D2 R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.D4 UR10, UR4, UR6", "FMUL.D4 R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.D8 UR10, UR4, UR6", "FMUL.D8 R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.M2 UR10, UR4, UR6", "FMUL.M2 R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.M4 UR10, UR4, UR6", "FMUL.M4 R8, R2, R4", TWIN, NULL},
        {"4", "UFMUL.M8 UR10, UR4, UR6", "FMUL.M8 R8, R2, R4", TWIN, NULL},
        {"4", "UFSEL.FTZ UR10, UR4, UR6, UP0", "FSEL.FTZ R8, R2, R4, P0", TWIN, NULL},
        {"4", "UFSEL UR10, |UR4|, -UR6, UP0", "SEL R8, R2, R4, P0", TWIN " R2:abs R4:neg", NULL},
        {"4", "UFSEL UR10, UR4, UR6, !UP0", "SEL R8, R2, R4, P0", TWIN " P0:inv", NULL},
        {"4", "UFSET.BF.LT.FTZ.AND UR10, UR4, UR6, UP0", "FSET.BF.LT.FTZ.AND R8, R2, R4, P0", TWIN, NULL},
        {"4", "UFSET.BF.LT.OR UR10, |UR4|, -UR6, UP0", "FSET.BF.LT.OR R8, R2, R4, P0", TWIN " R2:abs R4:neg", NULL},
        {"4", "UFSET.BF.LT.XOR UR10, -UR4, |UR6|, !UP0", "FSET.BF.LT.XOR R8, R2, R4, P0", TWIN " R2:neg R4:abs P0:inv",
         NULL},
        {"4", "UFSETP.LT.AND UP3, UP4, -UR4, |UR6|, UP0", "FSETP.LT.AND P3, P4, R2, R4, P0", TWIN " R2:neg R4:abs",
         NULL},
        {"4", "UFSETP.LT.AND UP3, UP4, |UR4|, -UR6, UP0", "FSETP.LT.AND P3, P4, R2, R4, P0", TWIN " R2:abs R4:neg",
         NULL},
        {"4", "UF2I.S16.TRUNC.NTZ UR10, UR4", "F2I.S16.TRUNC.NTZ R8, R4", "R4=UR4", NULL},
        {"4", "UF2I.U16.TRUNC.NTZ UR10, UR4", "F2I.U16.TRUNC.NTZ R8, R4", "R4=UR4", NULL},
        {"4", "UF2I.S8.TRUNC.NTZ UR10, UR4", "F2I.S8.TRUNC.NTZ R8, R4", "R4=UR4", NULL},
        {"4", "UF2I.U8.TRUNC.NTZ UR10, UR4", "F2I.U8.TRUNC.NTZ R8, R4", "R4=UR4", NULL},
        {"4", "UF2I.F16.TRUNC.NTZ UR10, UR4", "F2I.F16.TRUNC.NTZ R8, R4", "R4=UR4", NULL},
        {"4", "UF2I.F16.TRUNC.NTZ UR10, UR4.H1", "F2I.F16.TRUNC.NTZ R8, R4.H1", "R4=UR4", NULL},
        {"4", "UF2I.BF16.TRUNC.NTZ UR10, UR4", "F2I.BF16.TRUNC.NTZ R8, R4", "R4=UR4", NULL},
        {"4", "UF2IP.S8.F32.NTZ UR10, UR4, UR6, UR8", "F2IP.S8.F32.NTZ R8, R2, R4, R6", TWIN, NULL},
        {"4", "UF2IP.U8.F32 UR10, UR4, UR6, UR8", "F2IP.U8.F32 R8, R2, R4, R6", TWIN, NULL},
        {"4", "UF2IP.S8.F32.TRUNC.NTZ UR10, UR4, UR6, UR8", "F2IP.S8.F32.TRUNC.NTZ R8, R2, R4, R6", TWIN, NULL},
        {"4", "UF2IP.S8.F32.NTZ.RELU UR10, UR4, UR6, UR8", "F2IP.S8.F32.NTZ.RELU R8, R2, R4, R6", TWIN, NULL},
        {"4", "UFRND.FTZ.CEIL UR10, UR4", "FRND.FTZ.CEIL R8, R4", "R4=UR4", NULL},
        {"4", "UFRND.F16.FLOOR UR10, UR4", "FRND.F16.FLOOR R8, R4", "R4=UR4", NULL},
        {"4", "UFRND.F16.FLOOR UR10, UR4.H1", "FRND.F16.FLOOR R8, R4.H1", "R4=UR4", NULL},
        {"4", "UFRND.BF16.FLOOR UR10, UR4", "FRND.BF16.FLOOR R8, R4", "R4=UR4", NULL},
        {"4", "UI2F.U8 UR10, UR4.B1", "I2F.U8 R8, R4.B1", "R4=UR4", NULL},
        {"4", "UI2F.U8 UR10, UR4.B3", "I2F.U8 R8, R4.B3", "R4=UR4", NULL},
        {"4", "UI2F.S16 UR10, UR4", "I2F.S16 R8, R4", "R4=UR4", NULL},
        {"4", "UI2F.F16.S16 UR10, UR4", "I2F.F16.S16 R8, R4", "R4=UR4", NULL},
        {"4", "UI2F.BF16.S16 UR10, UR4", "I2F.BF16.S16 R8, R4", "R4=UR4", NULL},
        {"4", "UI2IP.S8.S32.SAT UR10, UR4, UR6, UR8", "I2IP.S8.S32.SAT R8, R2, R4, R6", TWIN, NULL},
        {"4", "UI2IP.U8.S32.SAT UR10, UR4, UR6, UR8", "I2IP.U8.S32.SAT R8, R2, R4, R6", TWIN, NULL},
        {"4", "UI2IP.S4.S32.SAT UR10, UR4, UR6, UR8.24", "I2IP.S4.S32.SAT R8, R2, R4, R6.24", TWIN, NULL},
        {"4", "UI2IP.U4.S32.SAT UR10, UR4, UR6, UR8.24", "I2IP.U4.S32.SAT R8, R2, R4, R6.24", TWIN, NULL},
        {"4", "UI2IP.S16.S32.SAT UR10, UR4, UR6, UR8", "I2IP.S16.S32.SAT R8, R2, R4, R6", TWIN, NULL},
        {"4", "UVIMNMX.U16x2 UR10, UR4, UR6, UP0", "VIMNMX.U16x2 R8, R2, R4, P0", TWIN, NULL},
        {"4", "UVIMNMX.S16x2 UR10, UR4, UR6, UP0", "VIMNMX.S16x2 R8, R2, R4, P0", TWIN, NULL},
        {"4", "UVIMNMX.S8x4 UR10, UR4, UR6, UP0", "VIMNMX.S8x4 R8, R2, R4, P0", TWIN, NULL},
        {"4", "UVIMNMX.U8x4 UR10, UR4, UR6, UP0", "VIMNMX.U8x4 R8, R2, R4, P0", TWIN, NULL},
        {"4", "UVIMNMX.S16x2.RELU UR10, UR4, UR6, UP0", "VIMNMX.S16x2.RELU R8, R2, R4, P0", TWIN, NULL},
        {"4", "UFADD%s UR10, UR4, UR6", "FADD%s R8, R2, R4", TWIN, rounds},
        {"4", "UFADD UR10, UR4, |UR6|", "FADD R8, R2, R4", TWIN " R4:abs", NULL},
        {"4", "UFMUL%s UR10, UR4, UR6", "FMUL%s R8, R2, R4", TWIN, rounds},
        {"4", "UFMUL UR10, UR4, |UR6|", "FMUL R8, R2, R4", TWIN " R4:abs", NULL},
        {"4", "UFFMA%s UR10, UR4, UR6, UR8", "FFMA%s R8, R2, R4, R6", TWIN, rounds},
        {"4", "UFSETP.%s.AND UP3, UP4, UR4, UR6, UP0", "FSETP.%s.AND P3, P4, R2, R4, P0", TWIN, compares},
        {"4", "UFSETP.%s.OR UP3, UP4, UR4, UR6, UP0", "FSETP.%s.OR P3, P4, R2, R4, P0", "*UR6=UR4 " TWIN, compares},
        {"4", "UFSETP.LT.FTZ.AND UP3, UP4, UR4, UR6, UPT", "FSETP.LT.FTZ.AND P3, P4, R2, R4, PT", TWIN, NULL},
        {"4", "UFSET.BF.%s.AND UR10, UR4, UR6, UP0", "FSET.BF.%s.AND R8, R2, R4, P0", TWIN, compares},
        {"4", "UFSET.BF.%s.OR UR10, UR4, UR6, UP0", "FSET.BF.%s.OR R8, R2, R4, P0", "*UR6=UR4 " TWIN, compares},
        {"4", "UISETP.%s.XOR UP3, UP4, UR4, UR6, UP0", "ISETP.%s.XOR P3, P4, R2, R4, P0", TWIN, integers},
        {"4", "UISETP.%s.XOR UP3, UP4, UR4, UR6, UP0", "ISETP.%s.XOR P3, P4, R2, R4, P0", "*UR6=UR4 " TWIN, integers},
        {"4", "UF2I%s.NTZ UR10, UR4", "F2I%s.NTZ R8, R4", "R4=UR4", ways},
        {"4", "UF2I.U32%s UR10, UR4", "F2I.U32%s R8, R4", "R4=UR4", ways},
        {"4", "UF2I.TRUNC.NTZ UR10, |UR4|", "F2I.TRUNC.NTZ R8, R4", "R4=UR4 R4:abs", NULL},
        {"4", "UI2F%s UR10, UR4", "I2F%s R8, R4", "R4=UR4", rounds},
        {"4", "UI2F.U32%s UR10, UR4", "I2F.U32%s R8, R4", "R4=UR4", rounds},
        {"4", "UI2FP.F32.S32.RZ UR10, UR4", "I2FP.F32.S32.RZ R8, R4", "R4=UR4", NULL},
        {"4", "UFRND%s UR10, UR4", "FRND%s R8, R4", "R4=UR4", ways},
        {"4", "UF2F.BF16.F32%s UR10, UR4", "F2F.BF16.F32%s R8, R4", "R4=UR4", rounds},
        {"4", "UF2F.F16.F32%s UR10, UR4", "F2F.F16.F32%s R8, R4", "R4=UR4", rounds},
        {"4", "UF2F.FTZ.F16.F32 UR10, -UR4", "F2F.FTZ.F16.F32 R8, -R4", "R4=UR4", NULL},
        {"4", "UF2F.F16.F32 UR10, |UR4|", "F2F.F16.F32 R8, R4", "R4=UR4 R4:abs", NULL},
        {"4", "UF2F.BF16.F16 UR10, UR4", "F2F.BF16.F16 R8, R4", "R4=UR4", NULL},
        {"4", "UF2F.F32.F16 UR10, UR4", "F2F.F32.F16 R8, R4", "R4=UR4", NULL},
        {"4", "UF2F.F32.BF16 UR10, UR4", "F2F.F32.BF16 R8, R4", "R4=UR4", NULL},
        {"01234", "UIMAD.WIDE.U32.X UR10, UR4, UR6, UR8, UP0", "IMAD.WIDE.U32.X R8, R2, R4, R6, P0", WIDE, NULL},
        {"01234", "UIMAD.WIDE.U32.X UR10, UR4, UR6, UR8, !UP0", "IMAD.WIDE.U32.X R8, R2, R4, R6, P0", WIDE " P0:inv",
         NULL},
        {"4", "UIMAD.HI.U32.X UR10, UR4, UR6, UR8, UP0", "IMAD.HI.U32.X R8, R2, R4, R6, P0",
         "*UR4:zero *UR8:ones " WIDE, NULL},
        {"4", "UIMAD.HI.U32.X UR10, UR4, UR6, UR8, !UP0", "IMAD.HI.U32.X R8, R2, R4, R6, P0",
         "*UR4:zero *UR8:ones " WIDE " P0:inv", NULL},
        {"4", "UIMAD.HI.U32 UR10, UR4, UR6, UR8", "IMAD.HI.U32 R8, R2, R4, R6", "*UR4:zero *UR8:ones " WIDE, NULL},
        {"01234", "UIMAD UR10, UR4, UR6, UR8", "IMAD R8, R2, R4, R6", TWIN, NULL},
        {"0123", "UISETP.LT.AND.EX UP3, UP4, UR4, UR6, UP0, UP1", "ISETP.LT.AND.EX P3, P4, R2, R4, P0, P1",
         "*UR6=UR4 " TWIN " P1=UP1", NULL},
        {"0123", "UISETP.LT.AND.EX UP3, UP4, UR4, UR6, UP0, !UP1", "ISETP.LT.AND.EX P3, P4, R2, R4, P0, !P1",
         "*UR6=UR4 " TWIN " P1=UP1", NULL},
        {"01234", "UP2UR.B1 UR10, UPR, UR4, 0x3f", "P2R.B1 R8, PR, R2, 0x3f", ALLP, NULL},
        {"01234", "UP2UR.B2 UR10, UPR, UR4, 0x3f", "P2R.B2 R8, PR, R2, 0x3f", ALLP, NULL},
        {"01234", "UP2UR.B3 UR10, UPR, UR4, 0x3f", "P2R.B3 R8, PR, R2, 0x3f", ALLP, NULL},
        {"01234", "UR2UP UPR, UR4.B2, 0x18", "R2P PR, R2.B2, 0x18", TWIN, NULL},
        {"01234", "UR2UP UPR, UR4.B3, 0x18", "R2P PR, R2.B3, 0x18", TWIN, NULL},
        {"01234", "VOTE.ALL R8, P3, !P0", "VOTE.ALL R8, P3, P0", "P0:inv", NULL},
        {"4", "UFSET.BF.%s.AND UR10, UR4, UR6, UPT", "FSET.BF.%s.AND R8, R2, R4, PT", "*UR4:ones " TWIN, compares},
        {"4", "UFSETP.%s.AND UP3, UP4, UR4, UR6, UPT", "FSETP.%s.AND P3, P4, R2, R4, PT", "*UR4:ones " TWIN, compares},
        {"2", "HMNMX2 R8, R2, R4, P0", "VIMNMX.U16x2 R8, R2, R4, P0", "*R2:number *R4:number", NULL},
        {"1234", "HSET2.BF.T.AND R8, R2, R4, P0", "SEL R8, R2, RZ, P0", "R2:hone", NULL},
        {"1234", "HSET2.BF.F.OR R8, R2, R4, P0", "SEL R8, R2, RZ, P0", "R2:hone", NULL},
        /* both halves of each source, against comparisons and minima of two */
        {"1234", "HSETP2.EQ.AND P3, P4, R2, R4, PT", "PLOP3.LUT P3, P4, PT, PT, PT, 0x80, 0x80",
         "*R2=UR4 *R4=UR4 *R2:number *R4:number", NULL},
        {"23", "VHMNMX R8, R2, R4, R6, P0", "HMNMX2 R8, R2, R4, P0", "*R4=UR4 *R6=UR4", NULL},
        {"23", "VHMNMX R8, R2, R4, R6, P0", "HMNMX2 R8, R4, R6, P0", "*R2=UR4 *R4=UR4", NULL},
        {"4", "UF2F.FTZ.F16.F32%s UR10, UR4", "F2F.FTZ.F16.F32%s R8, R4", "R4=UR4", rounds},
        {"1234", "HSETP2.T.AND P3, P4, R2, R4, P0", "PLOP3.LUT P3, P4, P0, P0, P0, 0x80, 0x80", "", NULL},
        {"1234", "HSETP2.F.OR P3, P4, R2, R4, P0", "PLOP3.LUT P3, P4, P0, P0, P0, 0x80, 0x80", "", NULL},
        /* other kinds of operands: immediates, constants (0x55667788), uniform registers (verif/isa/forms) */
        {"1", "F2FP%s R8, -1.5, RZ", "F2FP%s R8, R4, RZ", "R4=0xbfc00000", merges_80},
        {"1", "F2FP%s R8, c[0x0][0x160], RZ", "F2FP%s R8, R4, RZ", "R4=0x55667788", merges_80},
        {"1", "F2FP%s R8, UR4, RZ", "F2FP%s R8, R4, RZ", "R4=UR4", merges_80},
        {"234", "F2FP%s R8, -1.5, RZ", "F2FP%s R8, R4, RZ", "R4=0xbfc00000", merges},
        {"2", "F2FP%s R8, c[0x0][0x160], RZ", "F2FP%s R8, R4, RZ", "R4=0x55667788", merges},
        {"234", "F2FP%s R8, UR4, RZ", "F2FP%s R8, R4, RZ", "R4=UR4", merges},
        {"4", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, -1.5, R6",
         "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R4=0xbfc00000", NULL},
        {"2", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, c[0x0][0x160], R6",
         "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R4=0x55667788", NULL},
        {"1234", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, -1.5",
         "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=0xbfc00000", NULL},
        {"12", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, c[0x0] [0x160]",
         "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=0x55667788", NULL},
        {"1234", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, UR6",
         "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=UR6", NULL},
        {"2", "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, c[0x0][0x160], R6",
         "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, R6", "R4=0x55667788", NULL},
        {"1234", "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, -1.5",
         "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, R6", "R6=0xbfc00000", NULL},
        {"12", "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, c[0x0] [0x160]",
         "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, R6", "R6=0x55667788", NULL},
        {"1234", "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, UR6",
         "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R4, R6", "R6=UR6", NULL},
        {"34", "F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R8, R2, R4, -1.5",
         "F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R8, R2, R4, R6", "R6=0xbfc00000", NULL},
        {"34", "F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R8, R2, R4, UR6",
         "F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R8, R2, R4, R6", "R6=UR6", NULL},
        {"34", "F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R8, R2, R4, -1.5",
         "F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=0xbfc00000", NULL},
        {"34", "F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R8, R2, R4, UR6",
         "F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=UR6", NULL},
        {"34", "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, R4, -1.5",
         "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=0xbfc00000", NULL},
        {"34", "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, R4, UR6",
         "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, R4, R6", "R6=UR6", NULL},
        {"34", "F2FP.E8.BF16.UNPACK_B_MERGE_C.RZ R8, R4, -1.5", "F2FP.E8.BF16.UNPACK_B_MERGE_C.RZ R8, R4, R6",
         "R6=0xbfc00000", NULL},
        {"34", "F2FP.E8.BF16.UNPACK_B_MERGE_C.RZ R8, R4, UR6", "F2FP.E8.BF16.UNPACK_B_MERGE_C.RZ R8, R4, R6", "R6=UR6",
         NULL},
        {"3", "F2FP.BF16.F32.PACK_AB.RS R8, R2, R4, -1.5", "F2FP.BF16.F32.PACK_AB.RS R8, R2, R4, R6", "R6=0xbfc00000",
         NULL},
        {"2", "F2FP.BF16.F32.PACK_AB R8, R2, c[0x0][0x160]", "F2FP.BF16.F32.PACK_AB R8, R2, R4", "R4=0x55667788", NULL},
        {"2", "F2FP.TF32.F32.PACK_B R8, c[0x0][0x160]", "F2FP.TF32.F32.PACK_B R8, R4", "R4=0x55667788", NULL},
        {"34", "F2FP.TF32.F32.PACK_B R8, 0.10000000149011611938", "F2FP.TF32.F32.PACK_B R8, R4", "R4=0x3dcccccd", NULL},
        {"2", "F2FP.F16.E4M3.UNPACK_B R8, c[0x0] [0x160]", "F2FP.F16.E4M3.UNPACK_B R8, R4", "R4=0x55667788", NULL},
        {"12", "F2IP.U8.F32.TRUNC.NTZ R8, R2, c[0x0][0x160], R6", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, R6",
         "R4=0x55667788", NULL},
        {"1", "F2IP.U8.F32.TRUNC.NTZ R8, R2, UR4, R6", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, R6", "R4=UR4", NULL},
        {"1234", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, -1.5", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, R6", "R6=0xbfc00000",
         NULL},
        {"12", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, c[0x0] [0x160]", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, R6",
         "R6=0x55667788", NULL},
        {"1234", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, UR6", "F2IP.U8.F32.TRUNC.NTZ R8, R2, R4, R6", "R6=UR6", NULL},
        {"4", "UF2IP.S8.F32.NTZ UR10, UR4, UR6, -1.5", "F2IP.S8.F32.NTZ R8, R2, R4, R6", "R2=UR4 R4=UR6 R6=0xbfc00000",
         NULL},
        {"4", "UF2F.F32.BF16 UR10, 5.28125", "F2F.F32.BF16 R8, R4", "R4=0x40a9", NULL},
        {"4", "UF2F.BF16.F16 UR10, 2.330078125", "F2F.BF16.F16 R8, R4", "R4=0x40a9", NULL},
        {"01234", "F2F.F64.F16 R8, 2.330078125", "F2F.F64.F16 R8, R4", "R4=0x40a9", NULL},
        {"234", "F2F.F64.BF16 R8, 5.28125", "F2F.F64.BF16 R8, R4", "R4=0x40a9", NULL},
        {"2", "F2F.F64.BF16 R8, c[0x0] [0x160]", "F2F.F64.BF16 R8, R4", "R4=0x55667788", NULL},
        {"23", "F2F.F32.F16 R8, R4.H1", "HADD2.F32 R8, -RZ, R4.H1_H1", "*R4:number", NULL},
        {"23", "F2F.F32.F16 R8, UR4", "HADD2.F32 R8, -RZ, R4.H0_H0", "*UR4:number R4=UR4", NULL},
        {"23", "F2F.F32.F16 R8, 2.330078125", "F2F.F32.F16 R8, R4", "R4=0x40a9", NULL},
        {"2", "F2F.F32.F16 R8, -c[0x0] [0x160].H1", "F2F.F32.F16 R8, R4", "R4=0xd566", NULL},
        {"2", "F2F.BF16.F16%s R8, c[0x0] [0x160]", "F2F.BF16.F16%s R8, R4", "R4=0x55667788", rounds},
        {"2", "F2F.BF16.F64%s R8, c[0x0][0x160]", "F2F.BF16.F64%s R8, R4", "R4=0x55667788 R5=0x11223344", rounds},
        {"2", "F2I.BF16%s.NTZ R8, -c[0x0] [0x160]", "F2I.BF16%s.NTZ R8, -R4", "R4=0x55667788", ways},
        {"2", "F2I.S64.BF16%s R8, c[0x0] [0x160].H1", "F2I.S64.BF16%s R8, R4.H1", "R4=0x55667788", ways},
        {"2", "FRND.BF16%s R8, |c[0x0] [0x160]|", "FRND.BF16%s R8, |R4|", "R4=0x55667788", ways},
        {"2", "I2F.BF16%s R8, c[0x0][0x160]", "I2F.BF16%s R8, R4", "R4=0x55667788", rounds},
        {"2", "I2F.BF16.S8%s R8, c[0x0] [0x160].B1", "I2F.BF16.S8%s R8, R4.B1", "R4=0x55667788", rounds},
        {"2", "I2F.F16.U32%s R8, c[0x0][0x160]", "I2F.F16.U32%s R8, R4", "R4=0x55667788", rounds},
        {"2", "I2F.BF16.S64%s R8, c[0x0][0x160]", "I2F.BF16.S64%s R8, R4", "R4=0x55667788 R5=0x11223344", rounds},
        {"234", "I2F.BF16.S64%s R8, -0x54321", "I2F.BF16.S64%s R8, R4", "R4=0x0 R5=0xfffabcdf", rounds},
        {"234", "I2F.BF16.U64%s R8, 0xfffabcdf", "I2F.BF16.U64%s R8, R4", "R4=0x0 R5=0xfffabcdf", rounds},
        {"01", "MUFU.EX2.F16 R8, -c[0x0] [0x160].H1", "MUFU.EX2.F16 R8, -R4.H1", "R4=0x55667788", NULL},
        {"01", "MUFU.LG2.F16 R8, |c[0x0] [0x160]|", "MUFU.LG2.F16 R8, |R4|", "R4=0x55667788", NULL},
        {"2", "MUFU.EX2.F16 R8, -c[0x0] [0x160].H1", "MUFU.EX2.F16 R8, -R4.H1", "R4=0x55667788", NULL},
        {"2", "MUFU.LG2.F16 R8, |c[0x0] [0x160]|", "MUFU.LG2.F16 R8, |R4|", "R4=0x55667788", NULL},
        {"2", "MUFU.EX2.BF16 R8, -c[0x0] [0x160].H1", "MUFU.EX2.BF16 R8, -R4.H1", "R4=0x55667788", NULL},
        {"2", "MUFU.LG2.BF16 R8, |c[0x0] [0x160]|", "MUFU.LG2.BF16 R8, |R4|", "R4=0x55667788", NULL},
        {"2", "MUFU.RSQ R8, c[0x0][0x160]", "MUFU.RSQ R8, R4", "R4=0x55667788", NULL},
        {"34", "FHADD R8, R2, -|UR4|", "FHADD R8, R2, -|R4|", "R4=UR4", NULL},
        {"34", "FHFMA R8, R2, |UR4.H1|, -R6", "FHFMA R8, R2, |R4|.H1, -R6", "R4=UR4", NULL},
        {"34", "FHFMA.BF16 R8, R2, R4.H1, -UR6", "FHFMA.BF16 R8, R2, R4.H1, -R6", "R6=UR6", NULL},
        {"12", "HFMA2.MMA R8, R2, -R4, |UR6|", "HFMA2.MMA R8, R2, -R4, |R6|", "R6=UR6", NULL},
        {"2", "HFMA2.MMA R8, R2, -c[0x0][0x160], |R6|", "HFMA2.MMA R8, R2, -R4, |R6|", "R4=0x55667788", NULL},
        {"2", "HFMA2.MMA.BF16_V2 R8, R2, R4, -c[0x0][0x160]", "HFMA2.MMA.BF16_V2 R8, R2, R4, -R6", "R6=0x55667788",
         NULL},
        {"234", "HADD2.F32 R8, -R2.H1_H1, 2.330078125", "HADD2.F32 R8, -R2.H1_H1, R4.H0_H0", "R4=0x40a9", NULL},
        {"23", "VHMNMX R8, R2, 1.5, -2, |R6|, P0", "VHMNMX R8, R2, R4, |R6|, P0", "R4=0x3e00c000", NULL},
        {"23", "VHMNMX.BF16_V2 R8, R2, 1.5, -2, R6, P0", "VHMNMX.BF16_V2 R8, R2, R4, R6, P0", "R4=0x3fc0c000", NULL},
        {"23", "VHMNMX.NAN R8, R2, -UR4.H1_H1, R6, P0", "VHMNMX.NAN R8, R2, -R4.H1_H1, R6, P0", "R4=UR4", NULL},
        {"2", "VHMNMX R8, R2, |c[0x0] [0x160].H0_H0|, R6, !P0", "VHMNMX R8, R2, |R4|.H0_H0, R6, !P0", "R4=0x55667788",
         NULL},
        {"2", "VIADD R8, R2, -c[0x0][0x160]", "VIADD R8, R2, -R4", "R4=0x55667788", NULL},
        {"2", "VIADD.16x2 R8, R2, -c[0x0][0x160]", "VIADD.16x2 R8, R2, -R4", "R4=0x55667788", NULL},
        {"2", "VIADDMNMX R8, R2, -c[0x0][0x160], R6, P0", "VIADDMNMX R8, R2, -R4, R6, P0", "R4=0x55667788", NULL},
        {"2", "VIADDMNMX.U32 R8, R2, -R4, c[0x0][0x160], !P0", "VIADDMNMX.U32 R8, R2, -R4, R6, !P0", "R6=0x55667788",
         NULL},
        {"23", "VIADDMNMX.S16x2.RELU R8, R2, -R4, UR6, P0", "VIADDMNMX.S16x2.RELU R8, R2, -R4, R6, P0", "R6=UR6", NULL},
        {"2", "VIMNMX3.U16x2 R8, R2, c[0x0][0x160], R6, P0", "VIMNMX3.U16x2 R8, R2, R4, R6, P0", "R4=0x55667788", NULL},
        {"2", "VIMNMX.S16x2.RELU R8, R2, c[0x0][0x160], P0", "VIMNMX.S16x2.RELU R8, R2, R4, P0", "R4=0x55667788", NULL},
        {"01234", "P2R.B1 R8, PR, R2, R4", "P2R.B1 R8, PR, R2, 0x35", "*R4=0x35", NULL},
        {"01234", "P2R R8, PR, R2, UR4", "P2R R8, PR, R2, R4", "R4=UR4", NULL},
        {"012", "P2R.B2 R8, PR, R2, c[0x0][0x160]", "P2R.B2 R8, PR, R2, R4", "R4=0x55667788", NULL},
        {"012", "R2P PR, R2, c[0x0][0x160]", "R2P PR, R2, R4", "R4=0x55667788", NULL},
        {"01234", "R2P PR, R2.B3, UR4", "R2P PR, R2.B3, R4", "R4=UR4", NULL},
        {"01234", "UP2UR.B2 UR10, UPR, UR4, UR6", "P2R.B2 R8, PR, R2, R4", "*UR6:six " ALLP " R4=UR6", NULL},
        {"01234", "UR2UP UPR, UR4.B1, UR6", "R2P PR, R2.B1, R4", ALLP " R4=UR6", NULL},
        {"01234", "UFLO.U32 UR10, 0x1234", "FLO.U32 R8, R4", "R4=0x1234", NULL},
        {"01234", "UFLO.SH UR10, 0xfffff234", "FLO.SH R8, R4", "R4=0xfffff234", NULL},
        {"01234", "UPOPC UR10, 0x12345", "POPC R8, R4", "R4=0x12345", NULL},
        {"01234", "UBREV UR10, 0x12345", "BREV R8, R4", "R4=0x12345", NULL},
        {"01234", "UIMAD.X UR10, UR4, UR6, -0x7, !UP0", "IMAD.X R8, R2, R4, R6, P0", TWIN " R6=0xfffffff9 P0:inv",
         NULL},
        {"01234", "ULEA.X UR10, UR4, 0x12345678, 0x3, UP0", "LEA.X R8, R2, R4, 0x3, P0", "R2=UR4 R4=0x12345678 P0=UP0",
         NULL},
        {"01234", "ULEA.HI UR10, UR4, UR6, 0x12345678, 0x3", "LEA.HI R8, R2, R4, R6, 0x3", TWIN " R6=0x12345678", NULL},
        {"01234", "ULEA.HI.X UR10, UR4, UR6, 0x12345678, 0x3, !UP0", "LEA.HI.X R8, R2, R4, R6, 0x3, P0",
         TWIN " R6=0x12345678 P0:inv", NULL},
};

/* Floats of each width in the middle of their ranges, near the ends, and the corners of uop_value. */
static uint32_t operand(unsigned kind)
{
	uint32_t r = uop_random(), e = uop_random();
	switch (e % 8 ? kind % 4 : 0) {
	case 1: /* float32 */
		return (r & 0x807fffff) | (120 + e / 8 % 16) << 23;
	case 2: /* two float16 */
		return (r & 0x83ff83ff) | (10 + e / 8 % 8) << 26 | (10 + e / 64 % 8) << 10;
	case 3: /* high word of a float64; two bfloat16 */
		return (r & 0x800fffff) | (1016 + e / 8 % 16) << 20;
	default:
		return uop_value();
	}
}

static uint32_t float32_of_half(uint32_t h)
{
	uint32_t sign = (h & 0x8000) << 16, exp = h >> 10 & 31, frac = h & 0x3ff;
	if (exp == 31)
		return sign | 0x7f800000 | frac << 13;
	if (exp)
		return sign | (exp + 112) << 23 | frac << 13;
	float f = (float)frac * 0x1p-24f;
	uint32_t v;
	memcpy(&v, &f, sizeof v);
	return sign | v;
}

static uint32_t changed(const char *word, uint32_t v)
{
	static const char *const words[] = {"neg",    "abs",  "hneg",   "habs",    "low",    "high",
	                                    "inv",    "ftz",  "f32low", "f32high", "blow",   "bhigh",
	                                    "down16", "zero", "ones",   "hone",    "number", "six"};
	unsigned i = 0;
	while (strcmp(words[i], word))
		assert_true(++i < sizeof words / sizeof words[0]);
	const uint32_t to[] = {v ^ 0x80000000,
	                       v & 0x7fffffff,
	                       v ^ 0x80008000,
	                       v & 0x7fff7fff,
	                       (v & 0xffff) * 0x10001,
	                       (v >> 16) * 0x10001,
	                       ~v,
	                       v & 0x7f800000 ? v : v & 0x80000000,
	                       float32_of_half(v & 0xffff),
	                       float32_of_half(v >> 16),
	                       v << 16,
	                       v & 0xffff0000,
	                       v >> 16,
	                       0,
	                       ~0u,
	                       0x3c003c00,
	                       v & 0x3fff3fff,
	                       v & 0x3f};
	return to[i];
}

/* Applies a word of `changes` to the state. */
static void change(struct state *s, const char *word)
{
	char how[16];
	unsigned to, from;
	if (sscanf(word, "UR%u=UR%u", &to, &from) == 2)
		s->uni[to] = s->uni[from];
	else if (sscanf(word, "UR%u:%15s", &to, how) == 2)
		s->uni[to] = changed(how, s->uni[to]);
	else if (sscanf(word, "R%u=UR%u", &to, &from) == 2)
		FOR_LANES (i)
			s->r[to][i] = s->uni[from];
	else if (sscanf(word, "R%u=0x%x", &to, &from) == 2)
		FOR_LANES (i)
			s->r[to][i] = from;
	else if (sscanf(word, "P%u=UP%u", &to, &from) == 2)
		s->preds[to] = s->uni[UPRED + from];
	else if (sscanf(word, "R%u:%15s", &to, how) == 2)
		FOR_LANES (i)
			s->r[to][i] = changed(how, s->r[to][i]);
	else if (sscanf(word, "P%u:%15s", &to, how) == 2)
		s->preds[to] = changed(how, s->preds[to]);
	else
		fail_msg("change '%s'", word);
}

static void fill(struct state *s, unsigned round)
{
	for (unsigned r = 0; r < 10; r++)
		FOR_LANES (i)
			s->r[r][i] = operand(round);
	for (unsigned p = 0; p < 6; p++)
		s->preds[p] = uop_random();
	for (unsigned u = 4; u < 12; u++)
		s->uni[u] = operand(round);
	for (unsigned p = 0; p < 6; p++)
		s->uni[UPRED + p] = uop_random() & 1 ? ALL_LANES : 0;
}

/* Compares results: R8:9, P3, P4, or the uniform datapath's results. */
static void compare(const struct run *t, const struct run *plain, bool pair)
{
	bool uniform = t->text[0] == 'U', pred = (strstr(t->text, " P3") && !strstr(t->text, "VOTE")) ||
	                                         strstr(t->text, " UP3") || strstr(t->text, "R2P PR,") ||
	                                         strstr(t->text, "R2UP UPR,");
	const struct state *f = &t->after, *e = &plain->after;
	FOR_LANES (i) {
		for (unsigned k = 0; !pred && k <= pair; k++) {
			uint32_t found = uniform ? f->uni[10 + k] : f->r[8 + k][i], want = e->r[8 + k][i];
			if (found != want)
				fail_msg("sm_%d: %s: lane %u 0x%08x, expected 0x%08x, which %s gives", (int)t->arch,
				         t->text, i, found, want, plain->text);
		}
		for (unsigned p = 3; pred && p <= 4; p++) {
			uint32_t found = (uniform ? f->uni[UPRED + p] : f->preds[p]) >> i & 1,
			         want = e->preds[p] >> i & 1;
			if (found != want)
				fail_msg("sm_%d: %s: P%u of lane %u %u, expected %u, which %s gives", (int)t->arch,
				         t->text, p, i, found, want, plain->text);
		}
	}
}

static void one(const struct said_twice *row, enum wl_arch arch, const char *text, const char *plain_text,
                unsigned round)
{
	struct run t = {.text = text, .arch = arch}, plain = {.text = plain_text, .arch = arch};
	char changes[200];
	if (text[0] == 'U' && !strstr(plain_text, "VIMNMX"))
		plain.arch = WL_SM90;
	fill(&t.before, round);
	for (unsigned both = 2; both-- > 0;) {
		snprintf(changes, sizeof changes, "%s", row->changes);
		for (char *w = strtok(changes, " "); w; w = strtok(NULL, " "))
			if ((w[0] == '*') == both)
				change(both ? &t.before : &plain.before, w + both);
		if (both)
			plain.before = t.before;
	}
	uop_execute_on(&t);
	uop_execute_on(&plain);
	compare(&t, &plain,
	        text[0] == 'D' || strstr(text, ".WIDE") || strstr(text, "F2F.F64") || strstr(text, "F2I.S64"));
}

static void test_said_twice(void **state)
{
	(void)state;
	static const char *const once[] = {"", NULL};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const unsigned samples = rows[k].text[0] == 'U' ? 40 : 8; /* one value each on the uniform datapath */
		for (const char *const *value = rows[k].values ? rows[k].values : once; *value; value++) {
			char text[100], plain[100];
			snprintf(text, sizeof text, rows[k].text, *value);
			snprintf(plain, sizeof plain, rows[k].plain, *value);
			for (const char *a = rows[k].archs; *a; a++)
				for (unsigned round = 0; round < samples; round++)
					one(&rows[k], archs[*a - '0'], text, plain, round);
		}
	}
}

/* Bits beside the result stay; sizes of sources. */
static void test_sizes(void **state)
{
	(void)state;
	for (unsigned k = 0; k < ALL; k++) {
		uop_on(archs[k]);
		R32("P2R.B2 R8, PR, R2, 0x7", (a & ~0x70000u) | (p | q << 1 | s << 2) << 16);
		R32("CS2R.32 R8, SRZ", 0);
		R64("CS2R R8, SRZ", 0);
		R32("LDC R8, c[0x0][0x160]", 0x55667788);
		R64("LDC.64 R8, c[0x0][0x160]", UINT64_C(0x1122334455667788));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_said_twice), cmocka_unit_test(test_sizes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

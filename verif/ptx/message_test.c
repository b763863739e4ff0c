// SPDX-License-Identifier: Apache-2.0
/* message_test.c -- layout of messages: for people with the source line and a caret, as JSON, in the assembler's form.
 * Expected texts are written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../compiler/message.h"
#include "../../compiler/ptx/ptx.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<4>; .reg .f32 %f<4>;\n"

/* The messages of a text with errors; the caller frees the string. */
static char *messages(enum message_format format, const char *text, size_t size)
{
	char *out = NULL;
	size_t n = 0;
	struct message_printer p = {.format = format, .text = text, .size = size};
	struct ptx_options o = {.file = "a.ptx", .diag = message_print, .diag_self = &p, .strict_version = true};
	p.to = open_memstream(&out, &n);
	assert_non_null(p.to);
	assert_false(ptx_check(text, size, &o));
	fclose(p.to);
	message_printer_free(&p);
	return out;
}

static void expect(enum message_format format, const char *text, const char *want)
{
	char *got = messages(format, text, strlen(text));
	assert_string_equal(got, want);
	free(got);
}

static void operand(void **state)
{
	(void)state;
	/* the tabs move the name to column 17 of the screen, byte 3 */
	expect(MESSAGE_HUMAN, HEAD "\t\tadd.u32 %r1, %f2, 3;\nret;\n}\n",
	       "a.ptx:7:16: error: Arguments mismatch for instruction 'add'\n"
	       "    7 |                 add.u32 %r1, %f2, 3;\n"
	       "      |                              ^\n"
	       "note: found register %f2 of type .f32, expected a register or constant of type .u32\n");
	expect(MESSAGE_HUMAN, HEAD "add.u32 %r1, %r2;\nret;\n}\n",
	       "a.ptx:7:1: error: Arguments mismatch for instruction 'add'\n"
	       "    7 | add.u32 %r1, %r2;\n"
	       "      | ^\n"
	       "note: found 2 operands, expected 3 operands\n");
	expect(MESSAGE_HUMAN, HEAD "mov.u32 %r1, 5, %q;\nret;\n}\n",
	       "a.ptx:7:1: error: Arguments mismatch for instruction 'mov'\n"
	       "    7 | mov.u32 %r1, 5, %q;\n"
	       "      | ^\n"
	       "note: found 3 operands, expected 2 operands\n"
	       "a.ptx:7:17: error: Unknown symbol '%q'\n"
	       "    7 | mov.u32 %r1, 5, %q;\n"
	       "      |                 ^\n");
}

static void words(void **state)
{
	(void)state;
	expect(MESSAGE_HUMAN, HEAD "add.lo.u32 %r1, %r2, 3;\nadd.nope.u32 %r1, %r2, 3;\nret;\n}\n",
	       "a.ptx:7:4: error: Comparison qualifier is not allowed for instruction 'add'\n"
	       "    7 | add.lo.u32 %r1, %r2, 3;\n"
	       "      |    ^\n"
	       "a.ptx:8:4: error: Unknown modifier '.nope'\n"
	       "    8 | add.nope.u32 %r1, %r2, 3;\n"
	       "      |    ^\n");
}

static void syntax(void **state)
{
	(void)state;
	expect(MESSAGE_HUMAN, HEAD "add.u32 %r1, %r2, 3 4;\r\nret;\n}\n",
	       "a.ptx:7:21: error: Parsing error near '4': syntax error\n"
	       "    7 | add.u32 %r1, %r2, 3 4;\n"
	       "      |                     ^\n"
	       "note: found '4', expected ',' or ';'\n");
	expect(MESSAGE_HUMAN, HEAD "ret;\n",
	       "a.ptx:8:1: error: Parsing error near '': syntax error: the text ends too early\n"
	       "    8 | \n"
	       "      | ^\n"
	       "note: found the end of the text, expected '}'\n");
}

static void hints(void **state)
{
	(void)state;
	expect(MESSAGE_HUMAN, HEAD "bar.warp.sync %r1;\nredux.sync.add.s32 %r1, %r2, 1;\nret;\n}\n",
	       "a.ptx:8:1: error: Feature 'redux' requires .target sm_80 or higher\n"
	       "    8 | redux.sync.add.s32 %r1, %r2, 1;\n"
	       "      | ^\n"
	       "note: needs .target sm_80 or newer\n");
	expect(MESSAGE_HUMAN, ".version 6.0\n.target sm_75\n",
	       "a.ptx:2:9: error: PTX .version 6.0 does not support .target sm_75\n"
	       "    2 | .target sm_75\n"
	       "      |         ^\n"
	       "note: needs .version 6.3 or newer\n");
	expect(MESSAGE_PTXAS, ".version 6.0\n.target sm_75\n",
	       "a.ptx, line 2; error   : PTX .version 6.0 does not support .target sm_75\n");
}

/* 90 blanks of a comment, the fault at byte 101, and a long rest: 60 columns stay in front of the caret. */
static void long_line(void **state)
{
	static const char blanks[] = "                                                            "; /* 60 */
	char text[1024], want[1024];
	(void)state;
	snprintf(text, sizeof text, "%s/*%.46s%.46s*/    foo.u32 %%r1;%.50s//%.50s\nret;\n}\n", HEAD, blanks, blanks,
	         blanks, blanks);
	snprintf(want, sizeof want,
	         "a.ptx:7:101: error: Not a name of any known instruction: 'foo'\n"
	         "    7 | ...%.54s*/    foo.u32 %%r1;%.28s...\n"
	         "      |    %s^\n",
	         blanks, blanks, blanks);
	expect(MESSAGE_HUMAN, text, want);
}

/* A line of 2.5 MB with many errors must not be walked from the start for each error. */
static void huge_line(void **state)
{
	enum { Times = 100000 };
	static const char piece[] = "foo.u32 %r1, 1234567890;\t";
	size_t head = strlen(HEAD), n = sizeof piece - 1, size = head + Times * n;
	char *text = malloc(size), *got;
	(void)state;
	memcpy(text, HEAD, head);
	for (size_t i = 0; i < Times; i++)
		memcpy(text + head + i * n, piece, n);
	got = messages(MESSAGE_HUMAN, text, size);
	assert_non_null(strstr(got, "a.ptx:7:2499976: error: "));
	free(got);
	free(text);
}

static void json(void **state)
{
	(void)state;
	expect(MESSAGE_JSON, HEAD "add.u32 %r1, %f2, 3;\nst.global.u32 [%r1], \"\xff\\\";\n}\n",
	       "{\"file\": \"a.ptx\", \"line\": 7, \"column\": 14, \"severity\": \"error\", "
	       "\"text\": \"Arguments mismatch for instruction 'add'\", "
	       "\"found\": \"register %f2 of type .f32\", "
	       "\"expected\": \"a register or constant of type .u32\", \"hint\": null}\n"
	       "{\"file\": \"a.ptx\", \"line\": 8, \"column\": 22, \"severity\": \"error\", "
	       "\"text\": \"Parsing error near '\\ufffd\\\\\\\";': syntax error: string without an end\", "
	       "\"found\": \"'\\ufffd\\\\\\\";'\", \"expected\": \"an operand or a constant\", \"hint\": null}\n");
	expect(MESSAGE_JSON, ".version 6.0\n.target sm_75\n",
	       "{\"file\": \"a.ptx\", \"line\": 2, \"column\": 9, \"severity\": \"error\", "
	       "\"text\": \"PTX .version 6.0 does not support .target sm_75\", \"found\": null, \"expected\": null, "
	       "\"hint\": \"needs .version 6.3 or newer\"}\n");
}

/* Without a line, without a column, and bytes of the source outside text. */
static void partial(void **state)
{
	static const char source[] = "one\ntw\xc3\xa9\x01\xff\t!\n";
	struct wlcc_message m = {.severity = WLCC_WARNING, .file = "b.ptx", .text = "odd"};
	struct message_printer p = {.format = MESSAGE_HUMAN, .text = source, .size = sizeof source - 1};
	char *out = NULL;
	size_t n = 0;
	(void)state;
	p.to = open_memstream(&out, &n);
	message_print(&p, &m);
	m.line = 2;
	message_print(&p, &m);
	m.column = 8; /* the `!` */
	message_print(&p, &m);
	m.line = 9; /* no line 9 */
	message_print(&p, &m);
	fclose(p.to);
	message_printer_free(&p);
	assert_string_equal(out, "b.ptx: warning: odd\n"
	                         "b.ptx:2: warning: odd\n"
	                         "    2 | tw\xc3\xa9??   !\n"
	                         "b.ptx:2:8: warning: odd\n"
	                         "    2 | tw\xc3\xa9??   !\n"
	                         "      |         ^\n"
	                         "b.ptx:9:8: warning: odd\n");
	free(out);
}

static void names(void **state)
{
	enum message_format f = MESSAGE_PTXAS;
	(void)state;
	assert_true(message_format_named("json", &f));
	assert_int_equal(f, MESSAGE_JSON);
	assert_true(message_format_named("human", &f));
	assert_int_equal(f, MESSAGE_HUMAN);
	assert_false(message_format_named("xml", &f));
	assert_int_equal(f, MESSAGE_HUMAN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(operand), cmocka_unit_test(words),     cmocka_unit_test(syntax),
	        cmocka_unit_test(hints),   cmocka_unit_test(long_line), cmocka_unit_test(huge_line),
	        cmocka_unit_test(json),    cmocka_unit_test(partial),   cmocka_unit_test(names),
	};
	return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}

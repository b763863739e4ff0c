// SPDX-License-Identifier: Apache-2.0
/* profile_html.c -- a profile as a page: histogram of conflicts, a sortable table, source beside the code. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "profile.h"

static const char head[] =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Warplock profile</title><style>"
        "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}"
        "th{cursor:pointer;border-bottom:1px solid #888}td.t{text-align:left;font-family:monospace;white-space:pre}"
        "</style>";
static const char script[] =
        "<script>document.querySelectorAll('th').forEach((h,i)=>h.onclick=()=>{const b=document.querySelector('tbody'),"
        "k=r=>{const c=r.cells[i];return c.className==='t'?c.textContent:+(c.dataset.v??c.textContent)};h.up=!h.up;"
        "[...b.rows].sort((x,y)=>{const a=k(x),c=k(y);return(a<c?1:a>c?-1:0)*(h.up?1:-1)})"
        ".forEach(r=>b.append(r))});document.body.dataset.ready='yes'</script>\n";

static void put_text(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (s[i]) {
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '&':
			fputs("&amp;", f);
			break;
		default:
			fputc(s[i], f);
		}
}

static void histogram(const struct profile *p, const struct job *job, FILE *f)
{
	uint64_t degree[WL_WARP_LANES + 1] = {0}, most = 0;
	for (uint32_t i = 0; i < job->program.ninst; i++)
		for (unsigned d = 1; d <= WL_WARP_LANES; d++)
			degree[d] += profile_row(p, i)->degree[d];
	for (unsigned d = 1; d <= WL_WARP_LANES; d++)
		most = degree[d] > most ? degree[d] : most;
	if (!most)
		return;
	fputs("<h2>Shared-memory instructions by passes</h2><svg width=\"680\" height=\"150\" role=\"img\">\n", f);
	for (unsigned d = 1; d <= WL_WARP_LANES; d++) {
		const double h = 110.0 * (double)degree[d] / (double)most;
		fprintf(f,
		        "<rect x=\"%u\" y=\"%.1f\" width=\"16\" height=\"%.1f\" fill=\"#c40\"><title>%u passes: "
		        "%llu</title>"
		        "</rect><text x=\"%u\" y=\"140\" font-size=\"10\">%u</text>\n",
		        20 * d, 120 - h, h, d, (unsigned long long)degree[d], 20 * d + 2, d);
	}
	fputs("</svg>\n", f);
}

/* Sources already read. */
struct sources {
	const struct job *job;
	unsigned n;
	struct {
		const char *name;
		char *text; /* NULL: cannot be read */
	} file[16];
};

static const char *text_of(struct sources *s, const char *name)
{
	char err[200];
	size_t size;
	unsigned i = 0;
	if (s->job->ptx && s->job->program.source && strcmp(name, s->job->program.source) == 0)
		return s->job->ptx;
	while (i < s->n && strcmp(s->file[i].name, name) != 0)
		i++;
	if (i == sizeof s->file / sizeof *s->file)
		return NULL;
	if (i == s->n) {
		s->file[s->n].name = name;
		s->file[s->n++].text = (char *)file_read(name, &size, err, sizeof err);
	}
	return s->file[i].text;
}

/* Line `line` of a text. */
static void put_line(FILE *f, const char *text, unsigned line)
{
	for (; text && line > 1; line--)
		text = (text = strchr(text, '\n')) ? text + 1 : NULL;
	if (text)
		put_text(f, text, strcspn(text, "\n"));
}

static uint64_t heat(const struct profile *p, const struct profile_row *r)
{
	return profile_is_rtl(p) ? r->cycles : r->issues + r->waited;
}

static void put_row(const struct profile *p, struct sources *s, uint32_t i, uint64_t most, FILE *f)
{
	const struct job *job = s->job;
	const struct profile_row *r = profile_row(p, i);
	char inst[200];
	const char *file;
	unsigned line = 0;
	if (!wl_program_line(&job->program, i, &file, &line))
		line = 0;
	if (wl_print(job->program.arch, job->program.words[i], 16 * (uint64_t)i, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "?");
	fprintf(f, "<tr style=\"background:rgba(255,80,0,%.2f)\"><td data-v=\"%u\">0x%04x</td>",
	        most ? 0.6 * (double)heat(p, r) / (double)most : 0, 16 * i, 16 * i);
	for (const struct profile_column *c = profile_columns; c->name; c++) {
		if (!c->shown || (c->rtl && !profile_is_rtl(p)))
			continue;
		if (c->at == offsetof(struct profile_row, lanes))
			fprintf(f, "<td>%.1f</td>", r->issues ? (double)r->lanes / (double)r->issues : 0);
		else
			fprintf(f, "<td>%llu</td>", (unsigned long long)profile_value(r, c));
	}
	fputs("<td class=\"t\">", f);
	put_text(f, inst, strlen(inst));
	fprintf(f, "</td><td>%u</td><td class=\"t\">", line);
	if (line)
		put_line(f, text_of(s, file), line);
	fputs("</td></tr>\n", f);
}

void profile_html(const struct profile *p, const struct job *job, bool interrupted, FILE *f)
{
	uint64_t most = 0;
	struct sources sources = {.job = job};
	fputs(head, f);
	fputs("<body><h1>", f);
	put_text(f, job->program.name, strlen(job->program.name));
	fprintf(f, "</h1><p>Time is counted in %s.%s</p>\n", profile_unit(p),
	        interrupted ? " The run was interrupted." : "");
	histogram(p, job, f);
	fputs("<h2>Instructions</h2><table><thead><tr><th>pc", f);
	for (const struct profile_column *c = profile_columns; c->name; c++)
		if (c->shown && (!c->rtl || profile_is_rtl(p)))
			fprintf(f, "<th>%s", c->name);
	fputs("<th>instruction<th>line<th>source</tr></thead><tbody>\n", f);
	for (uint32_t i = 0; i < job->program.ninst; i++) {
		const uint64_t h = heat(p, profile_row(p, i));
		most = h > most ? h : most;
	}
	uint32_t *order = profile_order(p, job);
	for (uint32_t i = 0; order && i < job->program.ninst; i++)
		if (profile_row(p, order[i])->issues)
			put_row(p, &sources, order[i], most, f);
	free(order);
	for (unsigned i = 0; i < sources.n; i++)
		free(sources.file[i].text);
	fputs("</tbody></table>\n", f);
	fputs(script, f);
	fputs("</body></html>\n", f);
}

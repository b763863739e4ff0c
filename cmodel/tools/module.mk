# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlobjdump
wlobjdump_SRC  := $(addprefix cmodel/tools/,wlobjdump.c progress.c listing.c hazards.c tool.c file.c output.c unfinished.c option.c image_chip.c ptx_chip.c) compiler/check_orders.c
wlobjdump_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm

# Launch files, jobs and reports: wlrun and wlcosim link these with $(WLTOOLS_LIBS).
WLTOOLS_SRC  := $(addprefix cmodel/tools/,launch.c launch_json.c launch_bytes.c elem.c job.c job_arch.c image_chip.c ptx_chip.c report.c waits.c sweep.c checks.c checks_ptx.c source_json.c profile.c profile_write.c profile_html.c trace.c trace_file.c insight.c misuse_list.c host_program.c file.c interrupt.c once.c origin.c output.c overwrite.c unfinished.c progress.c tool.c) compiler/job_compile.c compiler/job_object.c
WLTOOLS_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -ljansson -lz $(LIBWARPLOCK_NEEDS) -lm

PROGRAMS += wlrun
wlrun_SRC  := $(addprefix cmodel/tools/,wlrun.c wlrun_options.c explore.c explore_run.c turns.c follow.c figures.c template.c) compiler/job_params.c $(WLTOOLS_SRC)
wlrun_LIBS := $(WLTOOLS_LIBS)

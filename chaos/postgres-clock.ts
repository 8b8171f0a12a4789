import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../local/files';

/*
 * Loaded before PostgreSQL: moves the wall clock of its processes by the milliseconds in a file, which may change at any
 * time. Time that passes is not moved.
 */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*real)(clockid_t, struct timespec *);
static long long moved_ms;
static long long looked_ms = -1000;

static long long moved(void) {
  struct timespec steady;
  real(CLOCK_MONOTONIC, &steady);
  long long now = steady.tv_sec * 1000LL + steady.tv_nsec / 1000000;
  if (now - looked_ms < 100) return moved_ms;
  looked_ms = now;
  int before = errno;
  const char *name = getenv("CHAOS_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  char text[32] = "";
  if (file >= 0) {
    ssize_t size = read(file, text, sizeof text - 1);
    moved_ms = size > 0 ? atoll(text) : 0;
    close(file);
  }
  errno = before;
  return moved_ms;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, at);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    long long all = at->tv_sec * 1000000000LL + at->tv_nsec + moved() * 1000000LL;
    at->tv_sec = all / 1000000000LL;
    at->tv_nsec = all % 1000000000LL;
  }
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  at->tv_sec = precise.tv_sec;
  at->tv_usec = precise.tv_nsec / 1000;
  return result;
}

time_t time(time_t *at) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (at) *at = precise.tv_sec;
  return precise.tv_sec;
}
`;

/** The clock of a PostgreSQL of ours, which can be moved. */
export class PostgresClock {
  private constructor(private readonly folder: string) {}

  /**
   * @param folder PostgreSQL's user may read it
   * @throws if this machine has no C compiler
   */
  static compile(folder: string): PostgresClock {
    const clock = new PostgresClock(folder);
    const source = path.join(folder, 'moved-clock.c');
    writeFileSync(source, SOURCE);
    try {
      const options = ['-shared', '-fPIC', '-O2', '-o', clock.library, source, '-ldl'];
      execFileSync('cc', options, { stdio: 'pipe' });
    } catch (cause) {
      throw new Error("PostgreSQL's clock must be moved: this campaign needs a C compiler (cc) on Linux", { cause });
    }
    clock.move(0);
    return clock;
  }

  /** The environment of the server. */
  get env(): NodeJS.ProcessEnv {
    return { LD_PRELOAD: this.library, CHAOS_CLOCK: path.join(this.folder, 'clock') };
  }

  /** @param byMs ahead of this machine's; 0: right */
  move(byMs: number): void {
    writeFileAtomically(path.join(this.folder, 'clock'), String(byMs), 0o644);
  }

  private get library(): string {
    return path.join(this.folder, 'moved-clock.so');
  }
}

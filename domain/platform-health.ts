/** What keeps the platform from its work, in the words that operators read; what stops money first. */
export const PROBLEM_MEANS = {
  NO_WORKER: 'No worker runs: orders are accepted, but nothing is credited or paid, and no callback is sent.',
  MONEY_WAITS: 'Payments and decisions wait in the outbox.',
  CREDIT_LATE: 'Paid deposits wait for their credit.',
  PAYOUT_LATE: 'Approved withdrawals wait for their payout.',
  WORKER_SILENT: 'A worker sends no heartbeat; others do its work.',
  CHANNEL_DOWN: 'A payment channel does not answer, or reports a failure.',
} as const;

/** What keeps the platform from its work. */
export type ProblemKind = keyof typeof PROBLEM_MEANS;

/** All kinds of problems. */
export const PROBLEM_KINDS = Object.keys(PROBLEM_MEANS) as readonly ProblemKind[];

/** With one of these, money does not move. */
const STALLING: ReadonlySet<ProblemKind> = new Set(['NO_WORKER', 'MONEY_WAITS', 'CREDIT_LATE']);

/** How the platform does its work. UNKNOWN: the database does not answer. */
export type PlatformState = 'WORKING' | 'IMPAIRED' | 'STALLED' | 'UNKNOWN';

/** One thing that keeps the platform from its work. */
export interface PlatformProblem {
  readonly kind: ProblemKind;
  /** Since when. */
  readonly since: Date;
  /** How many orders, workers or channels. */
  readonly count: number;
}

/** How often a worker sends a heartbeat, seconds. */
export const BEAT_EVERY_SECONDS = 5;
/** After how long without a heartbeat a worker is silent, seconds. */
const SILENT_AFTER_SECONDS = 15;
/** For how long a silent worker is reported while others do its work, seconds. */
const FORGOTTEN_AFTER_SECONDS = 600;
/** How long money may wait at each step, seconds; normally it takes milliseconds. */
const LATE_AFTER_SECONDS = { MONEY_WAITS: 30, CREDIT_LATE: 30, PAYOUT_LATE: 120 } as const;

/** What is read of the platform. */
export interface PlatformSigns {
  /** The last heartbeat of each worker that did not end in order. */
  readonly beats: readonly Date[];
  /** When a worker was last there, also one that ended in order; null on a platform that never had one. */
  readonly lastWorkerAt: Date | null;
  /** The oldest that waits at each step, and how many do; null where none does. */
  readonly waiting: Readonly<
    Record<keyof typeof LATE_AFTER_SECONDS, { readonly since: Date; readonly count: number } | null>
  >;
  /** Enabled channels that are down, and since when the first is. */
  readonly channelsDown: { readonly since: Date; readonly count: number } | null;
}

const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000);

/** What keeps the platform from its work, what stops money first. */
export function problemsOf(signs: PlatformSigns, now: Date): PlatformProblem[] {
  const aliveSince = secondsBefore(now, SILENT_AFTER_SECONDS);
  const silent = signs.beats.filter((at) => at < aliveSince).sort((a, b) => Number(a) - Number(b));
  const alive = signs.beats.length - silent.length;
  const problems: PlatformProblem[] = [];
  if (alive === 0 && signs.lastWorkerAt !== null && signs.lastWorkerAt < aliveSince)
    problems.push({ kind: 'NO_WORKER', since: signs.lastWorkerAt, count: silent.length });
  for (const kind of ['MONEY_WAITS', 'CREDIT_LATE', 'PAYOUT_LATE'] as const) {
    const oldest = signs.waiting[kind];
    if (oldest && oldest.since < secondsBefore(now, LATE_AFTER_SECONDS[kind])) problems.push({ kind, ...oldest });
  }
  const missing = silent.filter((at) => at >= secondsBefore(now, FORGOTTEN_AFTER_SECONDS));
  if (alive > 0 && missing[0]) problems.push({ kind: 'WORKER_SILENT', since: missing[0], count: missing.length });
  if (signs.channelsDown) problems.push({ kind: 'CHANNEL_DOWN', ...signs.channelsDown });
  return problems;
}

/** The state of a platform with these problems. */
export function stateOf(problems: readonly PlatformProblem[]): PlatformState {
  if (problems.some(({ kind }) => STALLING.has(kind))) return 'STALLED';
  return problems.length === 0 ? 'WORKING' : 'IMPAIRED';
}

import type { OpenChannel } from '../channels';
import type { Database } from '../db/client';
import { countFindings, findRecovery, leadRecovery, leaveRecovery } from '../db/platform/findings';
import { isFullyAsked, requestsHaveEnded } from '../domain/recovery';
import type { Logger } from '../runtime/log';
import { askPayouts, listPayouts } from './ask-payouts';

interface Deps {
  readonly database: Database;
  readonly openChannel: OpenChannel;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** How often a worker looks whether there is something to ask for, milliseconds. */
const EVERY_MS = 15_000;
/** For so long one worker asks alone; then another may, if that one is lost, milliseconds. */
const LEADS_MS = 2 * 60_000;
/** Withdrawals that were final are asked for if they changed within this long before the restored moment, milliseconds. */
const CLOSED_WITHIN_MS = 7 * 86_400_000;

/** Asks channels, while the database is in RECOVERY, for what they may have paid in the lost time. */
export class RecoveryLead {
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> | undefined;

  constructor(private readonly deps: Deps) {}

  start(): void {
    this.timer = setInterval(() => {
      this.busy ??= this.round()
        .catch((error: unknown) => {
          this.deps.log.warn({ err: error }, 'channels could not be asked for what they paid');
        })
        .finally(() => {
          this.busy = undefined;
        });
    }, EVERY_MS).unref();
  }

  /** A round under way goes on with the next worker. */
  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * One round: all withdrawals until every request of before has surely ended, then those without an answer, also after
   * the recovery.
   */
  async round(): Promise<void> {
    const { database, clock, log } = this.deps;
    const recovery = await findRecovery(database);
    if (!recovery) return;
    const now = clock();
    const all =
      recovery.endedAt === null &&
      (recovery.askedAt === null || (!isFullyAsked(recovery) && requestsHaveEnded(recovery, now)));
    const unanswered = (await countFindings(database, recovery.id)).get('UNANSWERED') ?? 0;
    if (!all && unanswered === 0) return;
    if (!(await leadRecovery(database, recovery.id, new Date(now.getTime() + LEADS_MS), now)))
      return;
    const since = new Date(recovery.lostSince.getTime() - CLOSED_WITHIN_MS);
    let done = false;
    try {
      const found = await askPayouts(this.deps, since, recovery, !all);
      if (all) await listPayouts(this.deps, recovery);
      done = all;
      log.warn(
        {
          ...{ withdrawals: found.withdrawals, adopted: found.adopted.length },
          ...{ unexplained: found.unexplained.length, unanswered: found.unanswered.length },
        },
        'RECOVERY: channels were asked for what they paid',
      );
    } finally {
      await leaveRecovery(database, recovery.id, done ? now : null);
    }
  }
}

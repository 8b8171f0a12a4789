import type { AuditSigner } from '../crypto/audit-signer';
import type { OpenChannel } from '../channels';
import { appendAuditOnce, auditDigest, entryOfNobody } from '../db/audit/audit-log';
import type { Database } from '../db/client';
import { countUnanswered, findRecovery, leadRecovery, leaveRecovery } from '../db/platform/findings';
import type { RecoveryRow } from '../db/platform/recoveries';
import { isFullyAsked, requestsHaveEnded } from '../domain/recovery';
import type { Logger } from '../runtime/log';
import { askPayouts, listPayouts } from './ask-payouts';

interface Deps {
  readonly database: Database;
  readonly openChannel: OpenChannel;
  readonly clock: () => Date;
  /** Makes the audit log's hashes. */
  readonly signer: Pick<AuditSigner, 'sign'>;
  readonly log: Logger;
}

/** How often a worker looks for withdrawals to query, milliseconds. */
const EVERY_MS = 15_000;
/** The lease of the worker that queries, milliseconds; after it another may take over. */
const LEADS_MS = 2 * 60_000;
/** Final withdrawals are queried if they changed within this long before the restored moment, milliseconds. */
const CLOSED_WITHIN_MS = 7 * 86_400_000;

/** While the database is in RECOVERY, queries channels for what they may have paid in the lost time. */
export class RecoveryLead {
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> | undefined;
  /** The last recovery whose beginning is in the audit log. */
  private noted: string | undefined;

  constructor(private readonly deps: Deps) {}

  start(): void {
    this.timer = setInterval(() => {
      this.busy ??= this.round()
        .catch((error: unknown) => {
          this.deps.log.warn({ err: error }, 'channels could not be queried for what they paid');
        })
        .finally(() => {
          this.busy = undefined;
        });
    }, EVERY_MS).unref();
  }

  /** Another worker continues a round that is under way. */
  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * One round: all withdrawals until every earlier request has surely ended, then those without an answer, even after
   * the recovery.
   */
  async round(): Promise<void> {
    const { database, clock, log } = this.deps;
    const recovery = await findRecovery(database);
    if (!recovery) return;
    const now = clock();
    await this.noteBegin(recovery);
    const all =
      recovery.endedAt === null &&
      (recovery.askedAt === null || (!isFullyAsked(recovery) && requestsHaveEnded(recovery, now)));
    const unanswered = await countUnanswered(database, recovery.id);
    if (!all && unanswered === 0) return;
    if (!(await leadRecovery(database, recovery.id, new Date(now.getTime() + LEADS_MS), now))) return;
    const since = new Date(recovery.lostSince.getTime() - CLOSED_WITHIN_MS);
    let done = false;
    try {
      const found = await askPayouts(this.deps, since, recovery, !all);
      if (all) await listPayouts(this.deps, recovery);
      done = all;
      log.warn(
        {
          withdrawals: found.withdrawals,
          adopted: found.adopted.length,
          unexplained: found.unexplained.length,
          unanswered: found.unanswered.length,
        },
        'RECOVERY: channels were queried for what they paid',
      );
    } finally {
      await leaveRecovery(database, recovery.id, done ? now : null);
    }
  }

  /**
   * Records in the audit log that the recovery began: the process that noticed it does not have the key of the log's
   * hashes.
   */
  private async noteBegin({ id, epoch, begunAt, lostSince }: RecoveryRow): Promise<void> {
    const { database, signer } = this.deps;
    const begun = `${id}:${epoch}`;
    if (this.noted === begun) return;
    const after = { epoch, lostSince: lostSince.toISOString() };
    const entry = entryOfNobody({
      at: begunAt,
      action: 'beginRecovery',
      subject: `recovery:${id}`,
      reason: null,
      after,
      traceId: begun,
    });
    await database.transaction(async (tx) => {
      await appendAuditOnce(tx, entry, auditDigest(signer.sign));
    });
    this.noted = begun;
  }
}

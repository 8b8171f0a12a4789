import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { findFactsOfReports, recordTransfers, type TransferReport } from '../../db/transfers/bank-transfers';
import type { Database } from '../../db/client';
import { creditDeposits } from '../../db/deposits/credits';
import { acceptDeposits } from '../../db/deposits/deposits';
import { releaseHolds } from '../../db/deposits/holds';
import * as db from '../../db/deposits/recalls';
import { nullsOf } from '../../db/rows';
import { depositOrders } from '../../db/schema/deposits';
import { orderNo } from '../../domain/ids';
import { bankCredit, depositCredit, depositRecalled, recallParts } from '../../domain/ledger';
import { type Money, ZERO } from '../../domain/money';
import { newRemark } from '../../domain/remark';
import { agreeOn } from './changes';
import { CURRENCY, type Fixture } from './fixture';

interface Deposit {
  readonly id: string;
  readonly amount: Money;
  readonly fee: Money;
}

const AN_HOUR_MS = 3_600_000;
const A_DAY_MS = 86_400_000;
/** Holds that one transaction releases. */
const BATCH = 100;

/** One merchant's deposits: each is created, reported by the bank, matched and credited. */
export class Deposits {
  private readonly all: Deposit[] = [];

  constructor(
    private readonly database: Database,
    private readonly fixture: Fixture,
    private readonly merchantId: string,
    private readonly holds: boolean,
  ) {}

  /**
   * Deposits that are paid together are credited in one transaction; one by one if they are held, because then it must
   * be known which of them covers the merchant's debt.
   */
  async paid(amounts: readonly Money[], fee: Money): Promise<boolean> {
    const deposits = await Promise.all(amounts.map(async (amount) => await this.matched(amount, fee)));
    this.all.push(...deposits);
    if (!this.holds) return await this.credit(deposits);
    let credited = true;
    for (const deposit of deposits) credited = (await this.credit([deposit])) && credited;
    return credited;
  }

  async creditAgain(index: number): Promise<boolean> {
    return await this.credit([this.at(index)]);
  }

  /** A recall by two people. @returns false if the deposit was recalled before */
  async recall(index: number): Promise<boolean> {
    const { merchantId, fixture } = this;
    const { id: depositId, amount } = this.at(index);
    const { accountId } = fixture;
    const [id, now] = [uuidv7(), new Date()];
    return await this.database.transaction(async (tx) => {
      if ((await db.lockRecallCase(tx, depositId))?.recalled !== false) return false;
      const held = await db.lockHeld(tx, depositId);
      const parts = recallParts(amount, held, await db.lockAvailable(tx, merchantId, CURRENCY));
      await agreeOn(tx, fixture, { id, kind: 'RECALL_DEPOSIT', merchantId, amount, now });
      return await db.recallDeposit(tx, {
        depositId,
        changeId: id,
        accountId,
        ...parts,
        reason: 'chaos',
        at: now,
        postings: depositRecalled(merchantId, accountId, parts),
      });
    });
  }

  /** Ends the days of all holds, also those of merchants of earlier cases. @returns whether this merchant had any */
  async release(): Promise<boolean> {
    if (!this.holds) return false;
    const [mine] = await this.database.sql<{ held: boolean }[]>`
      select exists (select from held_credits where merchant_id = ${this.merchantId}
        and released_at is null and recalled_at is null) as held`;
    const later = new Date(Date.now() + 2 * A_DAY_MS);
    while ((await releaseHolds(this.database, BATCH, later)) === BATCH);
    return mine?.held ?? false;
  }

  private at(index: number): Deposit {
    const deposit = this.all[index];
    if (!deposit) throw new Error(`there is no deposit ${index}`);
    return deposit;
  }

  private async matched(amount: Money, fee: Money): Promise<Deposit> {
    const { database, merchantId } = this;
    const { accountId } = this.fixture;
    const [id, now] = [uuidv7(), new Date()];
    const remark = newRemark(randomBytes(32));
    const [accepted] = await acceptDeposits(database, [
      {
        ...nullsOf(depositOrders, []),
        id,
        merchantId,
        accountId,
        merchantOrderNo: id,
        orderType: 'DIRECT',
        orderNo: orderNo('D', now, randomBytes(12)),
        status: 'PENDING',
        requestedAmount: amount,
        amount,
        fee,
        actualAmount: ZERO,
        currencyCode: CURRENCY,
        expectedRemark: remark,
        paymentSnapshot: {},
        routing: [],
        createdAt: now,
        updatedAt: now,
        expireAt: new Date(now.getTime() + AN_HOUR_MS),
      },
    ]);
    if (accepted?.outcome !== 'ACCEPTED') throw new Error('a deposit was not accepted');
    const report: TransferReport = {
      id: uuidv7(),
      accountId,
      amount,
      currencyCode: CURRENCY,
      bankReference: id,
      bankTime: now,
      payerName: null,
      payerAccount: null,
      memo: remark,
      balanceAfter: null,
      payerAccountIndex: null,
      source: 'chaos',
      receivedAt: now,
      dedupeKey: `ref:${id}`,
      remarks: [remark],
      nearSeconds: 0,
      agentKeyId: null,
      creditedSince: null,
    };
    const facts = (await findFactsOfReports(database, [report])).get(report.id);
    if (!facts) throw new Error('a report has no facts');
    const [changed] = await recordTransfers(database.sql, [
      {
        report,
        facts: facts.raw,
        verdict: {
          match: { matched: true, payer: null, depositId: id, fee },
          noteBalance: false,
          pause: null,
          postings: bankCredit(accountId, amount),
        },
      },
    ]);
    if (changed) throw new Error('somebody else has moved a deposit');
    return { id, amount, fee };
  }

  private async credit(deposits: readonly Deposit[]): Promise<boolean> {
    const { merchantId } = this;
    const credits = deposits.map(({ id, amount, fee }) => ({
      depositId: id,
      merchantId,
      actual: amount,
      fee,
      callbackBody: '{}',
      now: new Date(),
      postings: depositCredit(merchantId, amount, fee),
    }));
    return (await creditDeposits(this.database, credits)).every(Boolean);
  }
}

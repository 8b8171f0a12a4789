import { uuidv7 } from 'uuidv7';
import type { Database } from '../../db/client';
import { postTransfer } from '../../db/ledger/ledger';
import { brokenConstraint } from '../../db/refusals';
import { balanceAdjustment, balanceTopUp } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import { agreeOn } from './changes';
import { Deposits } from './deposits';
import { CURRENCY, type Fixture } from './fixture';
import { COST } from './model';
import type { Balances, Step, Taker } from './steps';
import { Withdrawals } from './withdrawals';

/** Hundredths as the platform's money. */
const moneyOf = (hundredths: bigint): Money => money(hundredths.toString()).div(100);
/** @throws for a fraction of a hundredth */
export const hundredthsOf = (amount: string | Money): bigint => BigInt(money(amount).times(100).toFixed());

const TOP_UP = {
  ...({ kind: 'TOP_UP_BALANCE', type: 'BALANCE_TOP_UP', key: 'balance-top-up' } as const),
  postings: balanceTopUp,
};
const ADJUSTMENT = {
  ...({ kind: 'ADJUST_BALANCE', type: 'BALANCE_ADJUSTMENT', key: 'balance-adjustment' } as const),
  postings: balanceAdjustment,
};

/** One merchant's money in the platform's own database, moved by the product's own statements. */
export class PlatformLedger implements Taker {
  private readonly deposits: Deposits;
  private readonly withdrawals: Withdrawals;

  constructor(
    private readonly database: Database,
    private readonly fixture: Fixture,
    private readonly merchantId: string,
    holds: boolean,
  ) {
    this.deposits = new Deposits(database, fixture, merchantId, holds);
    this.withdrawals = new Withdrawals(database, fixture, merchantId, moneyOf(COST));
  }

  async balances(): Promise<Balances> {
    const [row] = await this.database.sql<Record<keyof Balances, string>[]>`
      select available::text, frozen::text, receivable::text as owed
      from merchant_balances where merchant_id = ${this.merchantId}`;
    if (!row) throw new Error('there is no balance');
    const { available, frozen, owed } = row;
    return {
      available: hundredthsOf(available),
      frozen: hundredthsOf(frozen),
      owed: hundredthsOf(owed),
    };
  }

  async take(step: Step): Promise<boolean> {
    switch (step.act) {
      case 'topUp':
        return await this.change(TOP_UP, moneyOf(step.amount));
      case 'adjust':
        return await this.change(ADJUSTMENT, moneyOf(step.amount));
      case 'deposit':
        return await this.deposits.paid(step.amounts.map(moneyOf), moneyOf(step.fee));
      case 'creditAgain':
        return await this.deposits.creditAgain(step.order);
      case 'recall':
        return await this.deposits.recall(step.order);
      case 'release':
        return await this.deposits.release();
      case 'withdraw':
        return await this.withdrawals.create(moneyOf(step.amount), moneyOf(step.fee));
      default:
        return await this.withdrawals.take(step.act, step.order);
    }
  }

  /**
   * A change of a balance by two people: proposed, then posted with the approval.
   * @returns false if the balance is too low
   */
  private async change(
    { kind, type, key, postings }: typeof TOP_UP | typeof ADJUSTMENT,
    amount: Money,
  ): Promise<boolean> {
    const { merchantId } = this;
    const [id, now] = [uuidv7(), new Date()];
    try {
      await this.database.transaction(async (tx) => {
        await agreeOn(tx, this.fixture, { id, kind, merchantId, amount, now });
        await postTransfer(tx, {
          type,
          key: `${key}:${id}`,
          currencyCode: CURRENCY,
          orderId: null,
          bankTransferId: null,
          postings: postings(merchantId, amount),
          now,
        });
      });
      return true;
    } catch (error) {
      if (brokenConstraint(error) !== 'merchant_balances_never_negative') throw error;
      return false;
    }
  }
}

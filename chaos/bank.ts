import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { Gateways } from './gateways';
import type { Promised } from './merchant';
import { Patience } from './patience';
import { agentSignature, unixSeconds } from './signing';

/** A managed account, as its bank knows it. */
export interface BankAccount {
  readonly id: string;
  readonly accountNo: string;
}

/** The key of the agent that watches the accounts. */
export interface AgentKey {
  readonly keyId: string;
  readonly secret: string;
}

/** A payment in the bank's records: money that moved, once. */
export interface Payment {
  /** The bank's own reference. */
  readonly reference: string;
  readonly orderNo: string;
  readonly accountId: string;
  readonly amount: Decimal;
  /** The report was answered below 500. */
  acknowledged: boolean;
  /** An answer that the documentation does not allow. */
  contradiction?: string;
}

/** Pays each promised order exactly once, and reports the payment until it gets an answer. */
export class Bank {
  readonly book: Payment[] = [];
  /** The bodies that its agent sends. */
  private readonly reports = new Map<Payment, string>();

  constructor(
    private readonly gateways: Gateways,
    private readonly accounts: readonly BankAccount[],
    private readonly agent: AgentKey,
    private readonly currency: string,
  ) {}

  /**
   * Moves the money, then reports it.
   * @param twice reports again after the first answer, like a restarted agent
   * @param forMs after this the agent gives up
   */
  async pay(promised: Promised, twice: boolean, forMs: number): Promise<void> {
    const account = this.accounts.find(({ accountNo }) => accountNo === promised.accountNo);
    if (!account) throw new Error(`the bank has no account ${promised.accountNo}`);
    const reference = randomUUID();
    const report = JSON.stringify({
      account_id: account.id,
      amount: promised.amount,
      currency_code: this.currency,
      bank_time: new Date().toISOString(),
      bank_reference: reference,
      payer_name: 'A Payer',
      memo: promised.remark === null ? '' : `transfer ${promised.remark}`,
    });
    const payment: Payment = {
      reference,
      orderNo: promised.orderNo,
      accountId: account.id,
      amount: new Decimal(promised.amount),
      acknowledged: false,
    };
    this.book.push(payment);
    this.reports.set(payment, report);
    const patience = new Patience(forMs);
    await this.reportUntilAnswered(payment, patience);
    if (twice) await this.reportUntilAnswered(payment, patience);
  }

  /** Reports every payment again, as agents must after a restore. */
  async reportAllAgain(forMs: number): Promise<void> {
    const patience = new Patience(forMs);
    for (const payment of this.book) await this.reportUntilAnswered(payment, patience);
  }

  private async reportUntilAnswered(payment: Payment, patience: Patience): Promise<void> {
    while (!patience.isOver) {
      const status = await this.report(this.reports.get(payment) ?? '');
      if (status === 200 || status === 201) {
        payment.acknowledged = true;
        return;
      }
      if (status !== 0 && status < 500) {
        payment.contradiction = `a report was answered ${status}`;
        return;
      }
      await patience.pause();
    }
  }

  private async report(body: string): Promise<number> {
    const timestamp = unixSeconds();
    const nonce = randomUUID();
    const { status } = await this.gateways.ask(
      'POST',
      '/bank-notifications',
      {
        'x-agent-key': this.agent.keyId,
        'x-agent-timestamp': timestamp,
        'x-agent-nonce': nonce,
        'x-agent-signature': agentSignature(this.agent.secret, timestamp, nonce, body),
      },
      body,
    );
    return status;
  }
}

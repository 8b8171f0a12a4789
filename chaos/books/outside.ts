import { randomUUID } from 'node:crypto';
import type { AgentKey } from '../bank';
import type { Answer, Gateways } from '../gateways';
import { Patience } from '../patience';
import { agentSignature, unixSeconds } from '../signing';
import { type Currency, plain } from './money';

/** Money that really came or left: a line of the bank's own records. */
export interface Movement {
  readonly reference: string;
  /** Negative if it left. */
  readonly coins: bigint;
  readonly at: Date;
  readonly memo: string;
  readonly balance: bigint;
}

/** The platform's answer to the report of a movement. */
export interface Reported {
  readonly id: string;
  readonly matched: boolean;
  readonly reason: string | null;
}

/** How a movement is reported. */
export interface Words {
  readonly memo?: string;
  readonly reference?: string;
  /** How many reports its agent sends concurrently. */
  readonly times?: number;
  /** Nothing in the report distinguishes it from another movement: not even a reference. */
  readonly nameless?: boolean;
  /** The account number of the recipient. */
  readonly payee?: string;
  /** Reports this earlier movement again: no money moves. */
  readonly again?: Movement;
}

const ANSWERED_WITHIN_MS = 60_000;

/** An account as its bank knows it: every movement, in order. The platform's data is compared with it. */
export class OutsideAccount {
  readonly movements: Movement[] = [];
  balance = 0n;
  /** What it had before its first movement. */
  opening = 0n;
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param tells whether reports include the balance after a movement; movements are then reported one after another
   */
  constructor(
    readonly id: string,
    readonly accountNo: string,
    readonly currency: Currency,
    readonly mode: 'REMARK' | 'FLOAT',
    private readonly tells: boolean,
    private readonly reporter: Reporter,
  ) {}

  get tellsBalance(): boolean {
    return this.tells;
  }

  /** The bank finds earlier money that nobody has reported. */
  findEarlier(coins: bigint): void {
    this.opening += coins;
    this.balance += coins;
  }

  /** The same amount came again at the same moment, and was reported. */
  cameTwice({ coins, at, memo }: Movement): void {
    this.balance += coins;
    this.movements.push({ reference: randomUUID(), coins, at, memo, balance: this.balance });
  }

  /** Money moves, and an agent reports it. @throws if the answers contradict each other */
  async move(coins: bigint, words: Words = {}): Promise<{ movement: Movement } & Reported> {
    const work = async (): Promise<{ movement: Movement } & Reported> => {
      const movement = words.again ?? this.enter(coins, words);
      return { movement, ...(await this.reporter.report(this, movement, words)) };
    };
    if (!this.tells) return await work();
    const done = this.last.then(work, work);
    this.last = done.catch(() => undefined);
    return await done;
  }

  private enter(coins: bigint, { memo = '', reference = randomUUID() }: Words): Movement {
    this.balance += coins;
    const movement = { reference, coins, at: new Date(), memo, balance: this.balance };
    this.movements.push(movement);
    return movement;
  }
}

/** The agent that watches all accounts. */
export class Reporter {
  constructor(
    private readonly gateways: Gateways,
    private readonly agent: AgentKey,
    private readonly count: (what: string) => void,
  ) {}

  /** Reports a movement, perhaps several times concurrently, until each report is answered. */
  async report(account: OutsideAccount, movement: Movement, words: Words): Promise<Reported> {
    const { nameless = false, times = 1, payee } = words;
    const { coins, at, memo, reference, balance } = movement;
    const { id, currency, tellsBalance } = account;
    const body = JSON.stringify({
      account_id: id,
      currency_code: currency,
      memo,
      bank_time: at.toISOString(),
      direction: coins < 0n ? 'debit' : 'credit',
      amount: plain(coins < 0n ? -coins : coins, currency),
      ...(!nameless && { bank_reference: reference }),
      ...(tellsBalance && { balance_after: plain(balance, currency) }),
      ...(payee !== undefined && { payee_account: payee }),
    });
    this.count(`reported a ${coins < 0n ? 'debit' : 'credit'}`);
    if (times > 1) this.count('reported it several times at once');
    const answers = await Promise.all(Array.from({ length: times }, () => this.send(body)));
    const [first] = answers;
    const fresh = answers.filter(({ data }) => data?.['duplicate'] === false);
    const ids = new Set(answers.map(({ data }) => data?.['transfer_id']));
    if (!first || (!nameless && (ids.size !== 1 || fresh.length > 1)))
      throw new Error(`reports of ${reference} were answered ${JSON.stringify(answers)}`);
    const { data } = fresh[0] ?? first;
    const reason = data?.['unmatched_reason'];
    return {
      id: String(data?.['transfer_id']),
      matched: data?.['matched'] === true,
      reason: typeof reason === 'string' ? reason : null,
    };
  }

  private async send(body: string): Promise<Answer> {
    const patience = new Patience(ANSWERED_WITHIN_MS);
    for (;;) {
      const [timestamp, nonce] = [unixSeconds(), randomUUID()];
      const headers = {
        'x-agent-key': this.agent.keyId,
        'x-agent-timestamp': timestamp,
        'x-agent-nonce': nonce,
        'x-agent-signature': agentSignature(this.agent.secret, timestamp, nonce, body),
      };
      const answer = await this.gateways.ask('POST', '/bank-notifications', headers, body);
      if (answer.status === 200 || answer.status === 201) return answer;
      if ((answer.status !== 0 && answer.status < 500) || patience.isOver)
        throw new Error(`a report was answered ${answer.status}: ${body}`);
      await patience.pause();
    }
  }
}

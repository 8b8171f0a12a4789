import { Random } from '../random';
import { until } from '../until';
import { FORGED_MEMOS, grouped, MESSAGES } from '../payers/banks';
import type { Forwarder } from './forwarder';
import type { House } from './house';
import { telephoneOf } from './telephone';

/** Hostile messages: from payers, senders of forged SMS and apps on the telephone. */
const HOSTILE = 1_000;
/** After so many hostile messages an honest payer pays. */
const HONEST_EACH = 25;
/** An honest payer's money is credited within this, milliseconds. */
const CREDITED_MS = 30_000;
const write = MESSAGES['bKash received'] ?? (() => '');

/** The result of three outsiders. */
export interface Outcome {
  readonly hostile: number;
  /** Orders of theirs that were credited. */
  readonly stolen: number;
  /** Whether the account stopped because of them. */
  readonly paused: number;
  readonly honest: number;
  readonly credited: number;
  /** Whether a message that never came still stops the account. */
  readonly missingPauses: boolean;
}

/** The bank that writes to the telephone: its balance is the truth. */
class Bank {
  private balance = 150_000n;
  private count = 0;

  constructor(private readonly forwarder: Forwarder) {}

  /** Money comes, and its message. */
  async books(coins: bigint, memo: string): Promise<void> {
    await this.forwarder.gets('bKash', this.message(coins, memo));
  }

  /** Money comes, and its message never does. */
  loses(coins: bigint): void {
    this.message(coins, '');
  }

  private message(coins: bigint, memo: string): string {
    this.balance += coins;
    const reference = `TRUE${String(this.count++).padStart(6, '0')}`;
    const { balance } = this;
    return write({ coins, memo, reference, balance, at: new Date(), payer: '01700000001' });
  }
}

/** A message that the bank never wrote. Its writer does not know the balance of the account. */
function forged(random: Random, remark: string, n: number): string {
  const at = new Date(Date.now() - random.int(-5, 600) * 1_000);
  return write({
    coins: 90_000n,
    at,
    memo: remark,
    payer: '01799999999',
    reference: `FORGED${n}`,
    balance: BigInt(random.int(90_000, 99_000_000)),
  });
}

/** Plays hostile messages among honest ones, then loses a true one. */
export async function playOutsiders(house: House, say: (line: string) => void): Promise<Outcome> {
  const { sql, create, evil, victim } = house;
  const random = new Random(41);
  const { accountId, forwarder } = await telephoneOf(house);
  const bank = new Bank(forwarder);
  const deposit = async (apiKey: string, amount: string): Promise<readonly [string, string]> => {
    const made = await create('deposit', apiKey, { amount, currency_code: 'BDT' });
    return [made.order_no, made.remark ?? ''];
  };
  const isCredited = async (orderNo: string): Promise<boolean> => {
    const [row] = await sql<{ status: string }[]>`
      select status from deposit_orders where order_no = ${orderNo}`;
    return row?.status === 'COMPLETED' || row?.status === 'MATCHED';
  };
  const isPaused = async (): Promise<boolean> => {
    const [row] = await sql<{ status: string }[]>`
      select status from bank_accounts where id = ${accountId}`;
    return row?.status !== 'ACTIVE';
  };
  await bank.books(5_000n, 'the first one');
  const [orderNo, remark] = await deposit(evil.apiKey, '900.00');
  const honest: string[] = [];
  for (let n = 0; n < HOSTILE; n++) {
    const kind = n % 3;
    if (kind === 0) await forwarder.gets('bKash', forged(random, remark, n));
    else if (kind === 1) {
      const memo = FORGED_MEMOS[random.int(0, FORGED_MEMOS.length - 1)];
      await bank.books(BigInt(random.int(100, 300)), memo?.(grouped(90_000n, 2), remark) ?? '');
    } else await forwarder.isTold('bKash', forged(random, remark, n));
    if (n % HONEST_EACH !== 0) continue;
    // A stopped account takes no deposit: that payer is not credited either.
    const [own, mark] = await deposit(victim.apiKey, '40.00').catch(() => ['', ''] as const);
    await bank.books(4_000n, mark);
    honest.push(own);
  }
  await forwarder.isDone();
  await until(async () => (await Promise.all(honest.map(isCredited))).every(Boolean), CREDITED_MS);
  const credited = (await Promise.all(honest.map(isCredited))).filter(Boolean).length;
  const stolen = (await isCredited(orderNo)) ? 1 : 0;
  const paused = (await isPaused()) ? 1 : 0;
  say(
    `${HOSTILE} hostile messages of a payer, a sender of forged SMS and an app; ${forwarder.refused} refused by the forwarder`,
  );
  bank.loses(50_000n);
  await bank.books(100n, 'after the lost one');
  await bank.books(100n, 'and the next');
  await forwarder.isDone();
  const missingPauses = await until(isPaused, CREDITED_MS);
  await forwarder.stop();
  return { hostile: HOSTILE, stolen, paused, honest: honest.length, credited, missingPauses };
}

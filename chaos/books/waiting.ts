import { randomUUID } from 'node:crypto';
import type { Credit, Lane } from './lane';

interface Posted {
  readonly postings: readonly { readonly id: string }[];
}
interface Returned {
  readonly payerReturn: { readonly id: string } | null;
}

const payee = { name: 'A Payer', account: '5550001' };

/** Leaves a credit for later. */
export const keep = (lane: Lane, credit: Credit): void => {
  lane.credits.push(credit);
};

/** The model: a part of a waiting credit is used. */
function leaves(lane: Lane, credit: Credit, coins: bigint): void {
  credit.rest -= coins;
  lane.world.model.add('SUSPENSE', lane.currency, -coins);
}

async function postingId(posted: Promise<Posted>): Promise<string> {
  const [posting] = (await posted).postings;
  if (!posting) throw new Error('nothing was posted');
  return posting.id;
}

/** Reverses a posting: its money waits again. */
async function reverse(lane: Lane, id: string, credit: Credit, coins: bigint, model: () => void): Promise<void> {
  await lane.person.decides('ReversePosting', { id });
  credit.rest += coins;
  lane.world.model.add('SUSPENSE', lane.currency, coins);
  model();
}

type Way = (lane: Lane, credit: Credit, orderNo?: string) => Promise<void>;

const creditLate: Way = async (lane, credit, orderNo) => {
  const coins = lane.part(credit.rest);
  const fee = lane.fee(coins);
  if (fee >= coins) return;
  const about = orderNo === undefined ? { merchantId: lane.merchant.id } : { orderNo };
  const amount = lane.plain(coins);
  const id = await postingId(lane.person.decides('CreditLateMoney', { transferId: credit.id, amount, ...about }));
  leaves(lane, credit, coins);
  lane.earn(fee);
  lane.cell.gets(coins - fee);
  if (!lane.random.chance(0.15)) return;
  await reverse(lane, id, credit, coins, () => {
    lane.earn(-fee);
    lane.cell.gives(coins - fee);
  });
};

const topUp: Way = async (lane, credit) => {
  const coins = lane.part(credit.rest);
  const { id: merchantId } = lane.merchant;
  const amount = lane.plain(coins);
  const id = await postingId(lane.person.decides('CreditTopUp', { transferId: credit.id, amount, merchantId }));
  leaves(lane, credit, coins);
  lane.cell.gets(coins);
  if (!lane.random.chance(0.15)) return;
  await reverse(lane, id, credit, coins, () => {
    lane.cell.gives(coins);
  });
};

const writeOff: Way = async (lane, credit) => {
  const coins = lane.part(credit.rest);
  const { model } = lane.world;
  const amount = lane.plain(coins);
  const id = await postingId(lane.person.decides('WriteOffMoney', { transferId: credit.id, amount }));
  leaves(lane, credit, coins);
  model.add('UNCLAIMED', lane.currency, coins);
  if (!lane.random.chance(0.3)) return;
  await reverse(lane, id, credit, coins, () => {
    model.add('UNCLAIMED', lane.currency, -coins);
  });
};

const interest: Way = async (lane, credit) => {
  const coins = credit.rest;
  await lane.person.decides('PostInterest', { transferId: credit.id });
  leaves(lane, credit, coins);
  lane.world.model.add('BANK_COST', lane.currency, -coins);
};

/** Sends money to a payer from an account: its bank reports that before or after a person does. */
export async function send(lane: Lane, id: string, coins: bigint, paid: () => void): Promise<boolean> {
  if (lane.random.chance(0.2)) {
    await lane.person.takes('CancelReturn', { id, reason: 'not needed' });
    return false;
  }
  const [first, second] = lane.random.shuffle(lane.world.people);
  if (!first || !second) throw new Error('nobody sends it');
  const account = lane.account();
  await first.takes('BeginReturn', { id, accountId: account.id });
  let sender = first;
  if (lane.random.chance(0.2)) {
    await second.takes('ReleaseReturn', { id, reason: 'the bank has paid nothing' });
    await second.takes('BeginReturn', { id, accountId: account.id });
    sender = second;
  }
  const reference = randomUUID();
  const pay = async (): Promise<void> => {
    await account.move(-coins, { reference, payee: payee.account, memo: 'sent back' });
  };
  const isReportedFirst = lane.random.chance(0.5);
  if (isReportedFirst) await pay();
  await sender.decides('CompleteReturn', { id, bankReference: reference, reason: undefined });
  lane.world.model.put('BANK', account.id, lane.currency, -coins);
  paid();
  if (!isReportedFirst) await pay();
  return true;
}

const returnIt: Way = async (lane, credit) => {
  const coins = lane.part(credit.rest);
  const asked = { transferId: credit.id, amount: lane.plain(coins), payee };
  const { payerReturn } = await lane.person.decides<Returned>('ReturnMoney', asked);
  if (!payerReturn) throw new Error('no return was opened');
  await send(lane, payerReturn.id, coins, () => {
    leaves(lane, credit, coins);
  });
};

/** Refunds a part of a completed deposit. */
export async function refund(lane: Lane): Promise<void> {
  const deposit = lane.random.shuffle(lane.paid).find(({ recalled }) => !recalled);
  if (!deposit) return;
  const left = deposit.received - deposit.gone;
  const coins = lane.part(left < lane.cell.available ? left : lane.cell.available);
  if (coins <= 0n) return;
  const asked = { orderNo: deposit.orderNo, amount: lane.plain(coins), payee };
  const { payerReturn } = await lane.person.decides<Returned>('RefundDeposit', asked);
  if (!payerReturn) throw new Error('no refund was opened');
  lane.cell.freezes(coins);
  const isSent = await send(lane, payerReturn.id, coins, () => {
    lane.cell.frozen -= coins;
    deposit.gone += coins;
  });
  if (isSent) return;
  lane.cell.frozen -= coins;
  lane.cell.gets(coins);
}

const WAYS: readonly Way[] = [creditLate, creditLate, topUp, writeOff, interest, returnIt];

/** Resolves a waiting credit in one or several ways; sometimes the last part continues to wait. */
export async function end(lane: Lane, credit: Credit, orderNo?: string): Promise<void> {
  for (let tries = 0; credit.rest > 0n && tries < 6; tries++)
    await (WAYS[lane.random.int(0, WAYS.length - 1)] ?? creditLate)(lane, credit, orderNo);
  if (credit.rest > 0n) keep(lane, credit);
}

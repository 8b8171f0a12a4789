import type { Lane } from './lane';
import { stray } from './scenes-deposits';
import { send } from './waiting';

/** The result of two attempts: which of them succeeded. */
const carriedOut = async (attempts: readonly Promise<unknown>[]): Promise<boolean[]> =>
  (await Promise.allSettled(attempts)).map(({ status }) => status === 'fulfilled');

/** Two people resolve the same credit in different ways: exactly one succeeds. */
export async function twoEnds(lane: Lane): Promise<void> {
  const credit = await stray(lane);
  const [first, second] = lane.world.people;
  const merchantId = lane.merchant.id;
  const { model } = lane.world;
  const [credited, written] = await carriedOut([
    first.decides('CreditTopUp', { transferId: credit.id, merchantId }),
    second.decides('WriteOffMoney', { transferId: credit.id }),
  ]);
  if (credited === written) throw new Error(`two resolutions of ${credit.id}: both or none succeeded`);
  model.add('SUSPENSE', lane.currency, -credit.coins);
  if (credited) lane.cell.gets(credit.coins);
  else model.add('UNCLAIMED', lane.currency, credit.coins);
}

/** Two people match one credit to two orders: exactly one succeeds. */
export async function twoMatches(lane: Lane): Promise<void> {
  const [one, other] = [await lane.order(), await lane.order()];
  const credit = await stray(lane, one.coins + 1_000n);
  const [first, second] = lane.world.people;
  const [ofOne, ofOther] = await carriedOut([
    first.decides('MatchTransfer', { transferId: credit.id, orderNo: one.orderNo }),
    second.decides('MatchTransfer', { transferId: credit.id, orderNo: other.orderNo }),
  ]);
  if (ofOne === ofOther) throw new Error(`two matches of ${credit.id}: both or none succeeded`);
  const { account, coins } = credit;
  await lane.credited(ofOne ? one : other, coins, [{ account, coins }]);
  await lane.pay(ofOne ? other : one);
}

interface Returned {
  readonly payerReturn: { readonly id: string } | null;
}

/** A recall and a refund of a whole deposit at once: exactly one succeeds. */
export async function recallAndRefund(lane: Lane): Promise<void> {
  const deposit = await lane.pay(await lane.order());
  await lane.agrees();
  if (lane.cell.available < deposit.received) return;
  const { orderNo, received } = deposit;
  const { account } = deposit.came[0];
  const payee = { name: 'A Payer', account: '5550001' };
  const [first, second] = lane.world.people;
  let refund: Returned | undefined;
  const [recalled, refunded] = await carriedOut([
    first.decides('RecallDeposit', { orderNo }),
    second.decides<Returned>('RefundDeposit', { orderNo, payee }).then((opened) => {
      refund = opened;
    }),
  ]);
  if (recalled === refunded) throw new Error(`recall and refund of ${orderNo}: both or none succeeded`);
  if (recalled) {
    deposit.recalled = true;
    const held = deposit.held > received ? 0n : deposit.held;
    lane.cell.frozen -= held;
    lane.cell.gives(received - held);
    lane.world.model.put('BANK', account.id, lane.currency, -received);
    await account.move(-received, { memo: 'recalled' });
    return;
  }
  lane.cell.freezes(received);
  const isSent = await send(lane, refund?.payerReturn?.id ?? '', received, () => {
    lane.cell.frozen -= received;
    deposit.gone += received;
  });
  if (isSent) return;
  lane.cell.frozen -= received;
  lane.cell.gets(received);
}

/** Two people reverse the same posting: exactly one succeeds. */
export async function twoReversals(lane: Lane): Promise<void> {
  const credit = await stray(lane);
  const { postings } = await lane.person.decides<{ postings: readonly { id: string }[] }>(
    ...(['WriteOffMoney', { transferId: credit.id }] as const),
  );
  const id = postings[0]?.id;
  const done = await carriedOut(
    lane.world.people.map(async (person) => await person.decides('ReversePosting', { id })),
  );
  if (done.filter(Boolean).length !== 1) throw new Error(`two reversals of ${String(id)}: ${String(done)}`);
  await lane.person.decides('WriteOffMoney', { transferId: credit.id });
  lane.world.model.add('SUSPENSE', lane.currency, -credit.coins);
  lane.world.model.add('UNCLAIMED', lane.currency, credit.coins);
}

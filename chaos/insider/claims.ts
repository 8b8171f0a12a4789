import type { House } from './house';
import { approve, REASON, type Theft } from './thefts';

interface Candidate {
  readonly score: number;
  readonly deposit: { readonly orderNo: string };
}

const AMOUNT = '37.00';

/** A remark as a payer mistypes it: its last letter is another one. */
const mistyped = (remark: string): string => remark.slice(0, -1) + (remark.endsWith('A') ? 'B' : 'A');

/** The thief's payer opens an order on the cashier's page, and claims to have paid it under a reference. */
async function claims({ create, evil, gateway }: House, reference: string): Promise<void> {
  const { cashier_token: token = '' } = await create(
    ...(['deposit/cashier', evil.apiKey, { amount: AMOUNT }] as const),
  );
  const answer = await fetch(`${gateway}/cashier/${token}/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

interface Mistyped {
  readonly transferId: string;
  readonly own: string;
  readonly thiefs: string;
}

/** The victim's payer pays with a mistyped remark, and the thief's order of the same amount has a claim. */
async function payMistyped(house: House, memo: (remark: string) => string, reference: string): Promise<Mistyped> {
  const { order_no: own, remark } = await house.create('deposit', house.victim.apiKey, {
    amount: AMOUNT,
  });
  await claims(house, reference);
  const [row] = await house.sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from deposit_orders where merchant_id = ${house.evil.id}
    order by created_at desc limit 1`;
  const transferId = await house.credit(house.agent, {
    amount: AMOUNT,
    memo: memo(mistyped(remark ?? '')),
    bank_reference: `FT-${own}`,
  });
  return { transferId, own, thiefs: row?.orderNo ?? '' };
}

/** A refusal of these steps is no rule that stops the theft. */
const mistypedPayment = async (...payment: Parameters<typeof payMistyped>): Promise<Mistyped> =>
  await payMistyped(...payment).catch((error: unknown) => {
    throw new Error(`the claim is required: ${(error as Error).message}`);
  });

const candidatesOf = async ({ as }: House, id: string): Promise<readonly Candidate[]> =>
  (await as('rita').run<{ candidates: readonly Candidate[] }>('BankTransfer', { id })).candidates;

const match = async ({ as }: House, transferId: string, orderNo: string) =>
  await as('rita').run<{ change: { id: string } | null }>('MatchTransfer', {
    transferId,
    orderNo,
    reason: REASON,
  });

/** M10 of the review: a payer's claim, and a credit whose remark is mistyped. */
export const CLAIMS: readonly Theft[] = [
  {
    name: 'M10: a claim of a word that many memos contain comes before the payer’s own order',
    row: 'matchTransfer',
    play: async (house) => {
      const { transferId, own, thiefs } = await mistypedPayment(house, (remark) => `payment ${remark}`, 'PAYMENT');
      const scores = new Map(
        (await candidatesOf(house, transferId)).map(({ deposit, score }) => [deposit.orderNo, score]),
      );
      if (!scores.has(own)) throw new Error('the payer’s own order is required');
      return (scores.get(thiefs) ?? 0) >= (scores.get(own) ?? 0);
    },
    takes: (outranks) => outranks === true,
  },
  {
    name: 'M10: one who reconciles clicks the order that has the claim',
    row: 'matchTransfer',
    play: async (house) => {
      const { transferId, thiefs } = await mistypedPayment(house, (remark) => `payment ${remark}`, 'PAYMENT');
      return await match(house, transferId, thiefs);
    },
  },
  {
    name: 'M10: and approves it, with both permissions',
    row: 'approveChange',
    play: async (house) => {
      const { transferId, thiefs } = await mistypedPayment(house, (remark) => remark, 'REF00001');
      const proposed = await house
        .as('both')
        .run<{ change: { id: string } | null }>(
          ...(['MatchTransfer', { transferId, orderNo: thiefs, reason: REASON }] as const),
        );
      return await approve(house, 'both', proposed.change?.id);
    },
  },
];

import { uuidv7 } from 'uuidv7';
import { openPayerAccount, openPayerName } from '../../crypto/personal';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import { maskedText } from '../../domain/personal';
import type { ChangeRow } from '../../db/changes/change-requests';
import { findDeposit } from '../../db/deposits/deposits';
import { refusePaid } from '../../db/ledger/operator-postings';
import * as db from '../../db/ledger/payer-returns';
import { findDecided, propose, type Proposal, type Evidence, type ProposalNeeds } from '../changes/propose';
import { idempotent, type RecordKey } from '../idempotent';
import type { ReturnPayload } from './payer-return-effects';
import { checkedAmount } from './checked-amount';
import { requireEvidence } from './post';
import { requireReach } from '../access/caller';
import { creditShown, waitingMoney } from './waiting-money';
import type { Needs } from '../context';
import { type Payee, checkedPayee } from './payee';

/** A return that was asked for; none while its change is not applied. */
export interface ReturnProposal {
  readonly change: ChangeRow;
  readonly payerReturn: db.PayerReturnRow | null;
}

async function answered({ database }: Needs<'database'>, change: ChangeRow): Promise<ReturnProposal> {
  const [payerReturn] = await db.findReturnsOf(database, 'change_id', [change.id]);
  return { change, payerReturn: payerReturn ?? null };
}

/** Proposes a return, once for each idempotency key. */
const proposeReturn = async (
  context: ProposalNeeds,
  mutation: string,
  key: string | null | undefined,
  args: Readonly<Record<string, unknown>>,
  ask: () => Promise<Proposal>,
): Promise<ReturnProposal> =>
  await idempotent(
    context,
    { mutation, key, args },
    async (recordKey: RecordKey) => {
      const proposal = await ask();
      requireEvidence(proposal.evidence);
      return await answered(context, await propose(context, proposal, recordKey));
    },
    async (id) => await answered(context, await findDecided(context, id)),
  );

/**
 * Proposes to send money that waits back to who paid it. Until a second person approves, nothing else may use it.
 * @throws NOT_FOUND; INVALID_FIELD for a payee to whom money cannot be sent, or without evidence
 */
export async function returnMoney(
  context: ProposalNeeds & Needs<'loaders'>,
  {
    transferId,
    payee,
    reason,
    evidence,
    part,
    key,
  }: {
    readonly transferId: string;
    readonly payee: Payee;
    readonly reason: string;
    readonly evidence: Evidence;
    /** How much of it; none: all that still waits. */
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<ReturnProposal> {
  const args = { transferId, ...checkedPayee(payee), part: part?.toFixed(), reason };
  return await proposeReturn(context, 'returnMoney', key, args, async () => {
    const money = await waitingMoney(context, transferId, part ?? null);
    const { transfer, amount, name, enteredBy } = money;
    const use = { bankTransferId: transferId, depositIds: [], late: false };
    await refusePaid(context.database, use);
    const to = checkedPayee(payee);
    const payload: ReturnPayload = {
      id: uuidv7(),
      bankTransferId: transferId,
      depositId: null,
      merchantId: null,
      ...to,
      currencyCode: transfer.currencyCode,
      amount: amount.toFixed(),
      enteredBy,
    };
    return {
      kind: 'RETURN_MONEY',
      subject: { kind: 'bank_transfer', id: transferId, name },
      summary: `Send ${name} back to ${to.payeeName}`,
      before: {},
      after: { ...creditShown(money), ...to, amount: formatMoney(amount) },
      money: { amount, currencyCode: transfer.currencyCode },
      payload,
      reason,
      evidence,
    };
  });
}

/**
 * Proposes to refund a completed deposit to its payer, whole or in part.
 * @throws NOT_FOUND, WRONG_STATE; INVALID_FIELD for a payee to whom money cannot be sent, or without evidence
 */
export async function refundDeposit(
  context: ProposalNeeds,
  {
    orderNo,
    payee,
    reason,
    evidence,
    part,
    key,
  }: {
    readonly orderNo: string;
    readonly payee: Payee;
    readonly reason: string;
    readonly evidence: Evidence;
    /** How much of it; none: all that was received. */
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<ReturnProposal> {
  const args = { orderNo, ...checkedPayee(payee), part: part?.toFixed(), reason };
  return await proposeReturn(context, 'refundDeposit', key, args, async () => {
    const deposit = await findDeposit(context.database, { orderNo });
    if (!deposit) throw notFound('deposit');
    const { id: depositId, merchantId, currencyCode, status, actualAmount } = deposit;
    requireReach(context.actor, merchantId, 'deposit');
    // A change stays: it has the end of a number that is sealed in its order.
    const account = openPayerAccount(context.sealer, deposit);
    if (status !== 'COMPLETED') throw businessError('WRONG_STATE', 'only a completed deposit can be refunded');
    const amount = checkedAmount(part ?? actualAmount, currencyCode);
    const to = checkedPayee(payee);
    const payload: ReturnPayload = {
      id: uuidv7(),
      bankTransferId: null,
      depositId,
      merchantId,
      enteredBy: [],
      ...to,
      currencyCode,
      amount: amount.toFixed(),
    };
    return {
      kind: 'REFUND_DEPOSIT',
      subject: { kind: 'deposit', id: depositId, name: orderNo },
      merchantId,
      summary: `Refund ${formatMoney(amount)} ${currencyCode} of ${orderNo} to ${to.payeeName}`,
      before: {},
      after: {
        ...to,
        orderNo,
        amount: formatMoney(amount),
        received: formatMoney(actualAmount),
        payerName: openPayerName(context.sealer, deposit),
        payerAccount: account === null ? null : maskedText(account, 'NUMBER'),
      },
      money: { amount: amount.negated(), currencyCode },
      payload,
      reason,
      evidence,
    };
  });
}

import type { ChangeRow } from '../../db/changes/change-requests';
import type { DepositView } from '../../db/deposits/deposits';
import { uuidv7 } from 'uuidv7';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { formatMoney, money, type Money, ZERO } from '../../domain/money';
import { refusePaid } from '../../db/ledger/operator-postings';
import { type BankTransferView, findBankTransfers } from '../../db/transfers/bank-transfers';
import { findDecided, propose, type Evidence, type ProposalNeeds } from '../changes/propose';
import { idempotent, type RecordKey } from '../idempotent';
import { operatorOfSource } from './match-effects';
import type { PartsPayload } from './match-parts-effects';
import { actorName } from '../access/caller';
import { takesTwo } from '../authority/row';
import {
  answered,
  checkParts,
  depositOf,
  differencesIn,
  memosOf,
  MOST_PARTS,
  type Part,
  type PartsRequest,
  restIn,
  waitingTransfers,
} from './match-parts';
import type { Needs } from '../context';
import { type Payee, checkedPayee } from '../postings/payee';

/** Proposed parts, with their credits and deposits as they stand. */
export interface ProposedParts {
  readonly change: ChangeRow;
  readonly transfers: readonly BankTransferView[];
  readonly deposits: readonly DepositView[];
}

/** Proposes parts. They are always beyond the automatic rule, so that two people decide if two are required. */
async function proposeParts(
  context: ProposalNeeds,
  { kind, parts, back = null, summary, reason, evidence }: PartsRequest,
  recordKey: RecordKey,
): Promise<ProposedParts> {
  const [first] = parts;
  if (!first || parts.length > MOST_PARTS) throw invalidField('parts', `must be 1 to ${MOST_PARTS}`, 'OUT_OF_RANGE');
  if (!evidence?.text?.trim() && !evidence?.links?.length)
    throw invalidField('evidence', 'is required: state how you know', 'REQUIRED');
  const { actor } = context;
  if (takesTwo(context) && parts.some(({ transfer }) => transfer.source === actorName(actor)))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'you cannot match a transfer that you entered');
  checkParts(parts);
  const depositIds = parts.map(({ deposit }) => deposit.id);
  for (const { transfer } of parts)
    await refusePaid(context.database, { bankTransferId: transfer.id, depositIds, late: false });
  const { currencyCode } = first.transfer;
  const matched = parts.reduce((sum, part) => sum.plus(part.amount), ZERO);
  const amount = matched.plus(back?.amount ?? ZERO);
  const payload: PartsPayload = {
    parts: parts.map((part) => ({
      transferId: part.transfer.id,
      depositId: part.deposit.id,
      amount: part.amount.toFixed(),
    })),
    enteredBy: parts.flatMap(({ transfer }) => operatorOfSource(transfer.source) ?? []),
    ...(back && { back }),
  };
  const merchants = new Set(parts.map(({ deposit }) => deposit.merchantId));
  const change = await propose(
    context,
    {
      kind,
      subject: { kind: 'bank_transfer', id: first.transfer.id, name: summary },
      merchantId: merchants.size === 1 ? first.deposit.merchantId : null,
      summary,
      before: {},
      after: {
        parts: parts.map(
          (part) =>
            `${formatMoney(part.amount)} of ${formatMoney(part.transfer.amount)} ${currencyCode} to ${part.deposit.orderNo} of ${part.deposit.merchantCode} over ${formatMoney(part.deposit.amount)}`,
        ),
        // By names that an erasure knows (domain/personal.ts): both may name people.
        memos: memosOf(context, parts),
        amount: formatMoney(amount),
        differences: differencesIn(context, parts),
        ...(back && {
          returned: formatMoney(money(back.amount)),
          payeeName: back.payeeName,
          payeeAccount: back.payeeAccount,
          payeeBank: back.payeeBank,
        }),
      },
      money: { amount, currencyCode },
      payload,
      reason,
      evidence,
    },
    recordKey,
  );
  return await answered(context, change, parts);
}

/** The answer of an earlier request, by the change that it proposed. */
async function findParts(context: Needs<'database'>, id: string): Promise<ProposedParts> {
  const change = await findDecided(context, id);
  return {
    change,
    transfers: await findBankTransfers(context.database, [change.subjectId]),
    deposits: [],
  };
}

/**
 * Proposes that several unmatched transfers pay one PENDING deposit together; it is credited what they brought.
 * @throws NOT_FOUND, INVALID_FIELD; AUTHORIZATION_ERROR for who entered one of them, where two people are required
 */
export async function combineTransfers(
  context: ProposalNeeds & Needs<'loaders'>,
  {
    transferIds,
    orderNo,
    reason,
    evidence,
    key,
  }: {
    readonly transferIds: readonly string[];
    readonly orderNo: string;
    readonly reason: string;
    readonly evidence?: Evidence | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<ProposedParts> {
  const args = { transferIds, orderNo, reason };
  return await idempotent(
    context,
    { mutation: 'combineTransfers', key, args },
    async (recordKey) => {
      if (transferIds.length < 2) throw invalidField('transferIds', 'must be 2 or more', 'OUT_OF_RANGE');
      const deposit = await depositOf(context, orderNo);
      const transfers = await waitingTransfers(context, transferIds);
      const rest = await context.loaders.restOfTransfer.loadMany(transferIds);
      const parts = transfers.map((transfer, n) => {
        const left = rest[n];
        return { transfer, deposit, amount: restIn(left, transfer) };
      });
      const summary = `Combine ${transfers.length} credits for ${orderNo} of ${deposit.merchantCode}`;
      const request = { kind: 'COMBINE_TRANSFERS', parts, summary, reason } as const;
      return await proposeParts(context, { ...request, evidence: evidence ?? null }, recordKey);
    },
    async (id) => await findParts(context, id),
  );
}

/**
 * Proposes that one unmatched transfer pays several PENDING deposits, or one with an excess.
 * @throws NOT_FOUND, INVALID_FIELD; AMOUNT for more than is left of it; AUTHORIZATION_ERROR for who entered it, where two people are required
 */
export async function splitTransfer(
  context: ProposalNeeds & Needs<'loaders'>,
  {
    transferId,
    parts,
    returnRestTo,
    reason,
    evidence,
    key,
  }: {
    readonly transferId: string;
    readonly parts: readonly { readonly orderNo: string; readonly amount: Money }[];
    /** Where what the parts leave goes back to; none: it goes on waiting. */
    readonly returnRestTo?: Payee | null | undefined;
    readonly reason: string;
    readonly evidence?: Evidence | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<ProposedParts> {
  const payee = returnRestTo ? checkedPayee(returnRestTo) : null;
  const args = {
    transferId,
    reason,
    ...payee,
    parts: parts.map(({ orderNo, amount }) => ({ orderNo, amount: amount.toFixed() })),
  };
  return await idempotent(
    context,
    { mutation: 'splitTransfer', key, args },
    async (recordKey) => {
      if (new Set(parts.map(({ orderNo }) => orderNo)).size !== parts.length)
        throw invalidField('parts', 'must name each deposit once', 'DUPLICATE');
      const [transfer] = await waitingTransfers(context, [transferId]);
      if (!transfer) throw notFound('bank transfer');
      const asked: Part[] = [];
      for (const { orderNo, amount } of parts)
        asked.push({ transfer, deposit: await depositOf(context, orderNo), amount });
      const left = await context.loaders.restOfTransfer.load(transferId);
      const sum = parts.reduce((all, { amount }) => all.plus(amount), ZERO);
      const excess = restIn(left, transfer).minus(sum);
      if (excess.lt(0)) throw businessError('AMOUNT', 'the parts are more than what is left of the transfer');
      if (payee && excess.isZero())
        throw invalidField('returnRestTo', 'the parts leave nothing to return', 'NOT_ALLOWED');
      const back = payee && {
        id: uuidv7(),
        bankTransferId: transferId,
        depositId: null,
        merchantId: null,
        ...payee,
        currencyCode: transfer.currencyCode,
        amount: excess.toFixed(),
        enteredBy: [],
      };
      const over = parts.length === 1 ? (parts[0]?.orderNo ?? '') : `${parts.length} orders`;
      const rest = back && `, ${formatMoney(excess)} back to ${back.payeeName}`;
      const summary = `Split ${formatMoney(transfer.amount)} ${transfer.currencyCode} over ${over}${rest ?? ''}`;
      const request = { kind: 'SPLIT_TRANSFER', parts: asked, back, summary, reason } as const;
      return await proposeParts(context, { ...request, evidence: evidence ?? null }, recordKey);
    },
    async (id) => await findParts(context, id),
  );
}

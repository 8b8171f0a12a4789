import { useAction } from '../../client/action';
import {
  type ChangeFieldsFragment,
  CombineTransfersDocument,
  CreditLateMoneyDocument,
  CreditTopUpDocument,
  DismissDuplicateDocument,
  type EvidenceInput,
  MoveOwnMoneyDocument,
  PostInterestDocument,
  ReturnMoneyDocument,
  ReturnPayoutDocument,
  SettleChannelClaimDocument,
  SplitTransferDocument,
  WriteOffMoneyDocument,
} from '../../generated/operations';
import { legOf } from '../../parts/legs';
import { payeeOf } from '../../parts/payee';
import type { Draft } from './ending-fields';
import type { Ending } from './ending-kinds';
import type { Transfer } from './shown-transfer';

/** The reason. */
export interface Why {
  readonly reason: string;
  readonly evidence: EvidenceInput;
  readonly idempotencyKey: string;
}
/** The result. */
export interface Done {
  /** The change request; null if one person was enough. */
  readonly change: ChangeFieldsFragment | null;
}

/** Each way to use money: its fields, whether they are complete, and its mutation. */
export function useEnding(
  ending: Ending,
  transfer: Transfer,
  draft: Draft,
): {
  readonly busy: boolean;
  readonly failure: ReturnType<typeof useAction>['failure'];
  readonly ready: boolean;
  readonly run: (why: Why) => Promise<Done | undefined>;
} {
  const actions = {
    late: useAction(CreditLateMoneyDocument),
    combine: useAction(CombineTransfersDocument),
    split: useAction(SplitTransferDocument),
    back: useAction(ReturnMoneyDocument),
    topUp: useAction(CreditTopUpDocument),
    payout: useAction(ReturnPayoutDocument),
    interest: useAction(PostInterestDocument),
    own: useAction(MoveOwnMoneyDocument),
    claim: useAction(SettleChannelClaimDocument),
    twice: useAction(DismissDuplicateDocument),
    off: useAction(WriteOffMoneyDocument),
  };
  const transferId = transfer.id;
  const { orderNo, merchantId, others, returnsRest } = draft;
  const payee = payeeOf(draft);
  const [kind = '', id = ''] = draft.from.split(':');
  const amount = draft.amount.trim() || null;
  const lines = draft.lines.filter((line) => line.orderNo !== '' && line.amount !== '');
  const ways: Readonly<Record<Ending, { ready: boolean; run: (why: Why) => Promise<Done | undefined> }>> = {
    late: {
      ready: (orderNo === '') !== (merchantId === ''),
      run: async (why) => {
        const of = { orderNo: orderNo || null, merchantId: merchantId || null };
        return (await actions.late.run({ transferId, ...of, amount, ...why }))?.creditLateMoney;
      },
    },
    combine: {
      ready: orderNo !== '' && others.length > 0,
      run: async (why) => {
        const transferIds = [transferId, ...others];
        return (await actions.combine.run({ transferIds, orderNo, ...why }))?.combineTransfers;
      },
    },
    split: {
      ready: lines.length > 0 && (!returnsRest || payee !== null),
      run: async (why) => {
        const rest = { returnRestTo: returnsRest ? payee : null };
        return (await actions.split.run({ transferId, parts: lines, ...rest, ...why }))?.splitTransfer;
      },
    },
    back: {
      ready: payee !== null,
      run: async (why) =>
        payee ? (await actions.back.run({ transferId, payee, amount, ...why }))?.returnMoney : undefined,
    },
    topUp: {
      ready: merchantId !== '',
      run: async (why) => (await actions.topUp.run({ transferId, merchantId, amount, ...why }))?.creditTopUp,
    },
    payout: {
      ready: orderNo !== '',
      run: async (why) => (await actions.payout.run({ transferId, orderNo, ...why }))?.returnPayout,
    },
    interest: {
      ready: true,
      run: async (why) => (await actions.interest.run({ transferId, ...why }))?.postInterest,
    },
    own: {
      ready: true,
      run: async (why) => {
        const input = { transferId, ...legOf(kind, id) };
        return (await actions.own.run({ input, ...why }))?.moveOwnMoney;
      },
    },
    claim: {
      ready: kind === 'channel',
      run: async (why) => {
        const of = { channelId: id, currencyCode: transfer.currencyCode, transferId };
        const all = { ...of, amount: amount ?? transfer.rest };
        return (await actions.claim.run({ ...all, ...why }))?.settleChannelClaim;
      },
    },
    twice: {
      ready: draft.sameAs !== '',
      run: async (why) => (await actions.twice.run({ transferId, sameAs: draft.sameAs, ...why }))?.dismissDuplicate,
    },
    off: {
      ready: true,
      run: async (why) => (await actions.off.run({ transferId, amount, ...why }))?.writeOffMoney,
    },
  };
  const { busy, failure } = actions[ending];
  return { busy, failure, ...ways[ending] };
}

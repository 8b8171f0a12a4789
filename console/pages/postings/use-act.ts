import { useAction } from '../../client/action';
import {
  CorrectBookDocument,
  type EvidenceInput,
  MoveOwnMoneyDocument,
  OpenBookDocument,
  PostBankChargeDocument,
  PostChannelChargeDocument,
  type PostingResultFieldsFragment,
  SettleChannelClaimDocument,
  TakeProfitDocument,
  WriteOffChannelClaimDocument,
} from '../../generated/operations';
import { legOf } from '../../parts/legs';
import type { ActName } from './acts';

/** The typed values. Choices are `kind:id`. */
export interface Draft {
  readonly from: string;
  readonly to: string;
  readonly book: string;
  readonly currency: string;
  readonly amount: string;
}

/** The reason of the posting. */
export interface Why {
  readonly reason: string;
  readonly evidence: EvidenceInput | null;
  readonly idempotencyKey: string;
}

type Run = (why: Why) => Promise<PostingResultFieldsFragment | undefined>;

/** The mutation of a kind of posting. */
export function useAct(
  name: ActName,
  draft: Draft,
): {
  readonly busy: boolean;
  readonly failure: ReturnType<typeof useAction>['failure'];
  readonly run: Run;
} {
  const actions = {
    charge: useAction(PostBankChargeDocument),
    profit: useAction(TakeProfitDocument),
    move: useAction(MoveOwnMoneyDocument),
    open: useAction(OpenBookDocument),
    correct: useAction(CorrectBookDocument),
    channelCharge: useAction(PostChannelChargeDocument),
    settle: useAction(SettleChannelClaimDocument),
    writeOff: useAction(WriteOffChannelClaimDocument),
  };
  const [fromKind = '', fromId = ''] = draft.from.split(':');
  const [toKind, toId] = draft.to.split(':');
  const [bookKind, bookId = ''] = draft.book.split(':');
  const amount = draft.amount.trim();
  const part = { debitId: fromId, amount: amount || null };
  const currencyCode = draft.currency.trim().toUpperCase();
  const ofBook = {
    ...(bookKind === 'account' ? { accountId: bookId } : { channelId: bookId, currencyCode }),
    amount,
  };
  const ofChannel = { channelId: bookId, currencyCode, amount };
  /** A posting that always takes two people has evidence: the form requires it. */
  const sure = (why: Why) => ({ ...why, evidence: why.evidence ?? {} });
  const runs: Readonly<Record<ActName, Run>> = {
    charge: async (why) => (await actions.charge.run({ ...part, ...why }))?.postBankCharge,
    profit: async (why) => (await actions.profit.run({ ...part, ...sure(why) }))?.takeProfit,
    move: async (why) => {
      const input = {
        ...legOf(fromKind, fromId),
        ...(toKind === 'channel' && { toChannelId: toId ?? null }),
        ...(toKind === 'transfer' && { transferId: toId ?? null }),
        amount: amount || null,
        currencyCode: currencyCode || null,
      };
      return (await actions.move.run({ input, ...why }))?.moveOwnMoney;
    },
    open: async (why) => (await actions.open.run({ ...ofBook, ...sure(why) }))?.openBook,
    correct: async (why) => (await actions.correct.run({ ...ofBook, ...sure(why) }))?.correctBook,
    channelCharge: async (why) => (await actions.channelCharge.run({ ...ofChannel, ...sure(why) }))?.postChannelCharge,
    settle: async (why) => (await actions.settle.run({ ...ofChannel, ...sure(why) }))?.settleChannelClaim,
    writeOff: async (why) => (await actions.writeOff.run({ ...ofChannel, ...sure(why) }))?.writeOffChannelClaim,
  };
  const { busy, failure } = actions[name];
  return { busy, failure, run: runs[name] };
}

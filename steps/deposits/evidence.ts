import { openCredit, openCreditMemo, openPayerName } from '../../crypto/personal';
import { type DepositEvidence, type EvidenceFacts, evidenceOf } from '../../domain/deposit-evidence';
import { remarksIn } from '../../domain/remark';
import type { DepositView } from '../../db/deposits/deposits';
import type { EvidenceRow } from '../../db/deposits/evidence';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import type { Needs } from '../context';
import { shownNameTo } from '../access/masking';

/** A waiting credit; one that names a deposit is shown to operators who may see the deposit. */
type Waiting = BankTransferView & { readonly ofDepositId?: string; readonly wasMatched?: boolean };

const factsOf = (
  { sealer }: Needs<'sealer'>,
  deposit: DepositView,
  row: EvidenceRow,
  credits: readonly Waiting[],
): EvidenceFacts<Waiting> => ({
  deposit: {
    ...deposit,
    accountId: deposit.accountId ?? '',
    claimedReference: row.claimKey,
    payerName: openPayerName(sealer, deposit),
  },
  credits,
  claim:
    row.claimReference !== null && row.claimedAt !== null ? { reference: row.claimReference, at: row.claimedAt } : null,
  account: row.accountPaused === null ? null : { lastReportAt: row.lastReportAt, paused: row.accountPaused },
  channel:
    row.channelName !== null && row.channelStatus !== null && row.channelAt !== null
      ? {
          name: row.channelName,
          status: row.channelStatus,
          since: row.channelAt,
          lastError: row.channelError,
        }
      : null,
});

/** The evidence on a deposit. An operator restricted to merchants sees only credits that name the order. */
export async function evidenceOfDeposit(
  context: Needs<'actor' | 'loaders' | 'maskPersonal' | 'sealer'>,
  deposit: DepositView,
): Promise<DepositEvidence<Waiting>> {
  const { actor, loaders } = context;
  const row = await loaders.evidence.load(deposit.id);
  if (!row) throw new Error('a deposit without its row');
  const matched = new Set(row.onceIds);
  const ids = [...new Set([...row.onceIds, ...row.creditIds])];
  const found = await loaders.bankTransfers.loadMany(ids);
  const waiting = found.flatMap((credit): Waiting[] => {
    if (!credit || credit instanceof Error || credit.unmatchedReason === null) return [];
    const wasMatched = matched.has(credit.id);
    const memo = openCreditMemo(context.sealer, credit);
    const names = wasMatched || remarksIn(memo).includes(deposit.expectedRemark ?? '');
    return [{ ...credit, wasMatched, ...(names && { ofDepositId: deposit.id }) }];
  });
  const restricted = actor.kind === 'operator' && actor.operator.merchantIds !== null;
  const seen = waiting.filter(({ ofDepositId }) => !restricted || ofDepositId !== undefined);
  const clear = seen.map((credit) => openCredit(context.sealer, credit));
  const evidence = evidenceOf({
    ...factsOf(context, deposit, row, clear),
    shownName: shownNameTo(context),
  });
  // Who asks for a credit's payer gets it opened from the row.
  const kept = new Map(seen.map((credit) => [credit.id, credit]));
  const credits = evidence.credits.map((one) => ({
    ...one,
    transfer: kept.get(one.transfer.id) ?? one.transfer,
  }));
  return { ...evidence, credits };
}

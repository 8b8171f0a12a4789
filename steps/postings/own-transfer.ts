import { businessError, notFound } from '../../domain/errors';
import type { Money } from '../../domain/money';
import type { Settings } from '../../domain/change-request';
import { findOperatorPostings, type OperatorPostingRow } from '../../db/ledger/operator-postings';
import type { Needs } from '../context';
import { plainPosting, type PostingRequest } from './post';
import type { PlainPosting } from './posting-effects';

export interface Leg {
  readonly posting: (currencyCode: string, amount: Money) => PlainPosting;
  readonly findings: readonly string[];
  readonly shown: Settings;
  readonly enteredBy: readonly string[];
  readonly currencyCode: string | null;
  readonly amount: Money | null;
  readonly subject: PostingRequest['subject'];
}

export async function channelOfLeg(
  context: Needs<'loaders'>,
  channelId: string,
  kind: 'OWN_TRANSFER_OUT' | 'OWN_TRANSFER_IN',
  pairId: string | null,
): Promise<Leg> {
  const channel = await context.loaders.channels.load(channelId);
  if (!channel) throw notFound('channel');
  const { channelCode } = channel;
  return {
    posting: (currencyCode, amount) => plainPosting(kind, currencyCode, amount, { channelId, pairId }),
    findings: [`no bank row shows the money of channel ${channelCode}`],
    shown: kind === 'OWN_TRANSFER_OUT' ? { fromChannel: channelCode } : { toChannel: channelCode },
    enteredBy: [],
    currencyCode: null,
    amount: null,
    subject: { kind: 'channel', id: channelId, name: channelCode },
  };
}

/** The departure for the money that arrives now. @throws if there is none */
export async function earlierLeg(context: Needs<'database'>, pairId: string): Promise<OperatorPostingRow> {
  const [earlier] = await findOperatorPostings(context.database, [pairId]);
  if (earlier?.kind !== 'OWN_TRANSFER_OUT' || earlier.reversedAt !== null)
    throw businessError('UNKNOWN_VALUE', 'pairId names no money of ours that left');
  return earlier;
}

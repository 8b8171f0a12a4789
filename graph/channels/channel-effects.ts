import type { ChannelKind, MockOutcome } from '../../domain/channel';
import type { Settings } from '../../domain/change-request';
import { notFound } from '../../domain/errors';
import { money } from '../../domain/money';
import * as db from '../../db/channels/channels';
import type { Transaction } from '../../db/client';
import { effect } from '../changes/change-effect';
import { type ChannelSetUp, setUpOfRow } from './channel-input';

/** A channel's settings as a proposal keeps them. */
export type ChannelPayload = Readonly<{
  name: string;
  currencies: readonly string[];
  minAmount: string | null;
  maxAmount: string | null;
  /** Proposals that were made before there was one have none. */
  lowBalance?: string | null;
  priority: number;
  weight: number;
  baseUrl: string | null;
  keyId: string | null;
  sealedSecret: string | null;
  timeoutSeconds: number;
  cost: Readonly<{ percent: string; fixed: string }>;
  failureFinalDelaySeconds: number;
  answerWithinSeconds: number;
  banks: readonly Readonly<{ currencyCode: string; bankCode: string; channelBankCode: string }>[];
}>;

/** A new channel as a proposal keeps it. */
export type CreateChannelPayload = Readonly<{
  id: string;
  channelCode: string;
  kind: ChannelKind;
  mockOutcome: MockOutcome | null;
  setUp: ChannelPayload;
}>;

/** A channel's changes as a proposal keeps them. */
export type UpdateChannelPayload = Readonly<{ id: string; setUp: ChannelPayload }>;

/** Whether a channel gets payouts, as a proposal keeps it. */
export type ChannelEnabledPayload = Readonly<{ id: string; enabled: boolean }>;

/** In the form that a proposal keeps. */
export const payloadOf = ({ change, banks }: ChannelSetUp): ChannelPayload => ({
  ...change,
  minAmount: change.minAmount?.toFixed() ?? null,
  maxAmount: change.maxAmount?.toFixed() ?? null,
  lowBalance: change.lowBalance?.toFixed() ?? null,
  cost: { percent: change.cost.percent.toFixed(), fixed: change.cost.fixed.toFixed() },
  banks: banks.map((bank) => ({ ...bank })),
});

/** In the form that people compare: without the secret, whose key is named. */
export const shownOf = (setUp: ChannelSetUp): Settings => {
  const { sealedSecret: _, banks, ...shown } = payloadOf(setUp);
  return {
    ...shown,
    banks: banks.map((b) => `${b.currencyCode} ${b.bankCode} → ${b.channelBankCode}`),
  };
};

const optionalMoney = (text: string | null) => (text === null ? null : money(text));

const changeOf = (kept: ChannelPayload): db.ChannelChange => ({
  ...kept,
  minAmount: optionalMoney(kept.minAmount),
  maxAmount: optionalMoney(kept.maxAmount),
  lowBalance: optionalMoney(kept.lowBalance ?? null),
  cost: { percent: money(kept.cost.percent), fixed: money(kept.cost.fixed) },
});

const basis = async (
  tx: Transaction,
  { id }: Readonly<{ id: string }>,
): Promise<Settings | null> => {
  const channel = await db.lockChannel(tx, id);
  if (!channel) return null;
  const setUp = setUpOfRow(channel, await db.findChannelBanks(tx, [id]));
  return { ...shownOf(setUp), enabled: channel.enabled };
};

/** Sets up a channel that gets payouts. */
export const createChannel = effect<CreateChannelPayload>({
  apply: async (tx, { setUp, ...channel }, { now }) => {
    await db.insertChannel(tx, { ...channel, ...changeOf(setUp) }, now);
    await db.replaceChannelBanks(tx, channel.id, setUp.banks);
  },
});

/** Changes a channel's settings and banks; payouts under way go on with the new ones. */
export const updateChannel = effect<UpdateChannelPayload>({
  basis,
  apply: async (tx, { id, setUp }, { now }) => {
    if (!(await db.updateChannel(tx, id, changeOf(setUp), now))) throw notFound('channel');
    await db.replaceChannelBanks(tx, id, setUp.banks);
  },
});

/** Lets a channel have payouts, or no new ones. */
export const setChannelEnabled = effect<ChannelEnabledPayload>({
  basis,
  apply: async (tx, { id, enabled }, { now }) => {
    if (!(await db.setChannelEnabled(tx, id, enabled, now))) throw notFound('channel');
  },
});

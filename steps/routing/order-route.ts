import type { JSONValue } from 'postgres';
import type { PayerTier } from '../../domain/routing-rules';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';

/** The record of a routing decision, as an event of its order stores it. */
export interface Note {
  readonly account?: string;
  readonly channel?: string;
  readonly refused?: readonly { account?: string; channel?: string; reason: string }[];
  readonly rulesVersion?: number;
  readonly rule?: number;
  readonly ruleName?: string;
  readonly group?: number;
  readonly sticky?: boolean;
  readonly payerTier?: PayerTier;
}

export const nameOf = ({ account, channel }: { account: BankAccountRow | null; channel: ChannelRow | null }) =>
  account ? `the account ${account.name}` : channel ? `the channel ${channel.channelCode}` : 'people';

/** The first lines: which rule decided. */
export function wordsOfRule({ rulesVersion, rule, ruleName, payerTier, group, sticky }: Note): string[] {
  if (rulesVersion === undefined) return ['there were no routing rules'];
  const payer = payerTier ? `, with a payer who is ${payerTier}` : '';
  if (rule === undefined) return [`it fitted no rule of version ${rulesVersion}${payer}: routed as without rules`];
  return [
    `rule ${rule} of version ${rulesVersion}, ${ruleName ?? ''}${payer}`,
    ...(sticky ? ['the payer had paid there before'] : []),
    ...(group !== undefined && !sticky ? [`group ${group} of the rule took it`] : []),
  ];
}

/** The routing decision of an event; undefined if it has none. */
export const noteOfEvent = (detail: JSONValue): Note | undefined => (detail as { routing?: Note } | null)?.routing;

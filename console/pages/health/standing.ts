import type { HealthBoardQuery } from '../../generated/operations';
import type { Tone } from '../../parts/status';

/** A channel and an account, as the board shows them. */
export type BoardChannel = HealthBoardQuery['channels']['nodes'][number];
export type BoardAccount = HealthBoardQuery['bankAccounts']['nodes'][number];

/** The health of something in one word, and the reason. */
export interface Standing {
  readonly value: string;
  readonly words: string;
  readonly tone: Tone;
  readonly since: string | null;
  readonly reason: string | null;
}

const WORDS: Readonly<Record<string, string>> = {
  OUTAGE: 'Outage',
  AGENT_SILENT: 'Agent is silent',
  UNHEALTHY: 'Orders fail',
  DOWN: 'Does not answer',
};

type PassedOver = BoardChannel['passedOver'];

const passedOver = (over: NonNullable<PassedOver>): Standing => ({
  value: over.refusal,
  words: WORDS[over.refusal] ?? over.refusal,
  tone: 'bad',
  since: over.since,
  reason: over.reason,
});
const well = {
  value: 'HEALTHY',
  words: 'Healthy',
  tone: 'good',
  since: null,
  reason: null,
} as const;

/** The health of a channel. */
export function standingOfChannel({ enabled, passedOver: over, breakerState }: BoardChannel): Standing {
  if (!enabled) return { ...well, value: 'DISABLED', words: 'Disabled', tone: 'off' };
  if (!over) return well;
  return breakerState === 'TRIAL' && over.refusal === 'UNHEALTHY'
    ? { ...passedOver(over), value: 'TRIAL', words: 'One order is tried', tone: 'wait' }
    : passedOver(over);
}

/** The health of an account. */
export function standingOfAccount({ status, statusReason, passedOver: over }: BoardAccount): Standing {
  if (status !== 'ACTIVE')
    return {
      ...well,

      value: status,
      words: status === 'PAUSED' ? 'Paused' : 'Disabled',
      reason: statusReason,
      tone: status === 'PAUSED' ? 'wait' : 'off',
    };
  return over ? passedOver(over) : well;
}

/** Whether orders wait that were never sent to their channel. */
export const hasMovable = ({ waiting }: BoardChannel): boolean =>
  waiting.some(({ kind }) => kind === 'PAYOUT_UNSENT' || kind === 'DEPOSIT_UNSENT');

/** Sorted: those that need attention first, each group by name. */
export const worstFirst = <Row>(rows: readonly Row[], standing: (row: Row) => Standing): Row[] => {
  const places: readonly Tone[] = ['bad', 'wait', 'move', 'good', 'off'];
  const place = (row: Row): number => places.indexOf(standing(row).tone);
  return [...rows].sort((a, b) => place(a) - place(b));
};

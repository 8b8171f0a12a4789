import type {
  FeeScheduleRowFragment,
  FeeTermsInput,
  FeeTierBasis,
  FeeTierMode,
  OrderKind,
  WalletKind,
} from '../../generated/operations';
import { formatMoney } from '../../format/money';

/** A fee schedule, as its form holds it: texts, "" is none. */
export interface FeeDraft {
  readonly currencyCode: string;
  readonly orderKind: OrderKind;
  readonly channelId: string | null;
  readonly walletKind: WalletKind | null;
  /** In the form of a datetime-local input; "": at the approval. */
  readonly begins: string;
  readonly ends: boolean;
  readonly percent: string;
  readonly fixed: string;
  readonly minimum: string;
  readonly maximum: string;
  /** One for each line: from, percent, and a fixed part if there is one. */
  readonly tiers: string;
  readonly tierMode: FeeTierMode;
  readonly tierBy: FeeTierBasis;
}

/** A new schedule. */
export const newDraft = (currencyCode: string): FeeDraft => ({
  currencyCode,
  orderKind: 'DEPOSIT',
  channelId: null,
  walletKind: null,
  begins: '',
  ends: false,
  percent: '0',
  fixed: '0',
  minimum: '',
  maximum: '',
  tiers: '',
  tierMode: 'WHOLE',
  tierBy: 'AMOUNT',
});

const plain = (amount: string | null | undefined): string =>
  amount === null || amount === undefined ? '' : formatMoney(amount, 0).replaceAll(',', '');

/** The next version of a schedule. */
export const draftOf = (row: FeeScheduleRowFragment): FeeDraft => ({
  currencyCode: row.currencyCode,
  orderKind: row.orderKind,
  begins: '',
  ends: false,
  channelId: row.channel?.id ?? null,
  walletKind: row.walletKind ?? null,
  percent: plain(row.percent),
  fixed: plain(row.fixed),
  tierMode: row.tierMode,
  tierBy: row.tierBy,
  minimum: plain(row.minimum),
  maximum: plain(row.maximum),
  tiers: row.tiers.map(({ from, percent, fixed }) => [from, percent, fixed].map(plain).join(' ')).join('\n'),
});

const AMOUNT = /^\d+(\.\d{1,4})?$/;

/** Whether a text is an amount or a percentage. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);

const tiersOf = (text: string): FeeTermsInput['tiers'] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([from]) => from !== '')
    .map(([from = '', percent = '0', fixed = '0']) => ({ from, percent, fixed }));

/** The terms of the draft; null while they are invalid. */
export function termsOf(draft: FeeDraft): FeeTermsInput | null {
  const tiers = tiersOf(draft.tiers) ?? [];
  const amounts = [draft.percent, draft.fixed, ...tiers.flatMap((tier) => Object.values(tier))];
  const bounds = [draft.minimum, draft.maximum].filter((bound) => bound !== '');
  if (![...amounts, ...bounds].every((text) => isAmount(String(text)))) return null;
  return {
    percent: draft.percent,
    fixed: draft.fixed,
    tiers,
    tierMode: draft.tierMode,
    tierBy: draft.tierBy,
    minimum: draft.minimum || null,
    maximum: draft.maximum || null,
  };
}

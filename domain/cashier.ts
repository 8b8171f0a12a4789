import { LIMITS } from './limits';
import type { Money } from './money';

/** Contract, "States and transitions", cashier session. */
export const CASHIER_STATUSES = ['PENDING', 'SUBMITTED', 'EXPIRED'] as const;
/** One of CASHIER_STATUSES. */
export type CashierStatus = (typeof CASHIER_STATUSES)[number];

/**
 * The states from which each state may be reached; the functions in db/functions follow this table, and a test compares
 * them.
 */
export const CASHIER_TRANSITIONS: Readonly<Record<CashierStatus, readonly CashierStatus[]>> = {
  PENDING: [],
  SUBMITTED: ['PENDING'],
  EXPIRED: ['PENDING'],
};

/** The amounts that payers may choose in one currency (contract, "POST /orders/deposit/cashier", `amount`). */
export interface CashierAmounts {
  readonly denominations: readonly Money[];
  /** Any amount within these, ends included; null: only denominations. */
  readonly custom: { readonly min: Money; readonly max: Money } | null;
}

/** Whether the payer has any amount to choose. */
export const offersAmounts = ({ denominations, custom }: CashierAmounts): boolean =>
  denominations.length > 0 || custom !== null;

/** Whether a payer may choose this amount. */
export const acceptsAmount = ({ denominations, custom }: CashierAmounts, amount: Money): boolean =>
  denominations.some((denomination) => denomination.equals(amount)) ||
  (custom !== null && amount.gte(custom.min) && amount.lte(custom.max));

/** A payer's card as the merchant sent it: the contract says no more than "object of strings". */
export type CashierCard = Readonly<Record<string, string>>;

/** Names that merchants use for a card's number and its bank. */
const NUMBER_FIELDS = /^(payer_)?(bank_)?(account|card)_?(no|num|number)$/i;
const BANK_FIELDS = /^(payer_)?bank_?code$/i;

/** A number that identifies its holder: five digits or more, in any grouping. */
const LONG_NUMBER = /\d(?:[ -]?\d){4,}/g;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A text with its long numbers cut to the last four digits. */
export const masked = (text: string): string =>
  text.replace(LONG_NUMBER, (number) => `•••• ${digitsOf(number).slice(-4)}`);

/** A card as the payer's page shows it. */
export const shownCard = (card: CashierCard): { key: string; value: string }[] =>
  Object.entries(card).map(([key, value]) => ({ key, value: masked(value) }));

const fieldOf = (card: CashierCard, name: RegExp): string | null =>
  Object.entries(card).find(([key, value]) => name.test(key) && value !== '')?.[1] ?? null;

/** What the chosen card says about the payer, for matching: null where a field is missing or too long. */
export function payerOf(card: CashierCard): {
  readonly bankCode: string | null;
  readonly accountNo: string | null;
} {
  const within = (text: string | null, most: number): string | null =>
    text !== null && Array.from(text).length <= most ? text : null;
  return {
    bankCode: within(fieldOf(card, BANK_FIELDS), LIMITS.bankCode),
    // Without the spaces and dashes of its printed form.
    accountNo: within(fieldOf(card, NUMBER_FIELDS)?.replace(/[^A-Za-z0-9]/g, '') || null, LIMITS.accountNo),
  };
}

/** How long a session is shown after its order is final or it expired. */
const SHOWN_AFTER_END_MS = 24 * 3_600_000;

/** The facts that decide whether a session's token is valid. */
export interface JudgedSession {
  readonly status: CashierStatus;
  readonly expireAt: Date;
  readonly revokedAt: Date | null;
  /** When its order became final; null if it is not, or without an order. */
  readonly orderEndedAt: Date | null;
}

/** Whether a session's token is valid now. Tokens have no expiry of their own: the session's row decides. */
export function isOpenToToken(session: JudgedSession, now: Date): boolean {
  if (session.revokedAt !== null) return false;
  const ended = session.status === 'EXPIRED' ? session.expireAt : session.orderEndedAt;
  return ended === null || now.getTime() <= ended.getTime() + SHOWN_AFTER_END_MS;
}

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;
const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/;

/** The relative luminance of #rrggbb, 0 to 1 (WCAG 2.2), or undefined where the text is not a colour. */
export function luminance(colour: string): number | undefined {
  const parts = COLOUR.exec(colour)?.slice(1);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((hex) => {
    const share = parseInt(hex, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Whether white text on this colour, and this colour on white, have enough contrast. */
export function readableOnWhite(colour: string): boolean {
  const light = luminance(colour);
  return light !== undefined && 1.05 / (light + 0.05) >= LEAST_CONTRAST;
}

import type { Texts } from './texts/texts';

/** The parts of an amount that matter for writing it. */
export interface Currency {
  readonly currencyCode: string;
  readonly decimals: number;
}

/** Trailing zeros beyond the currency's decimals go: "1500.3700" is "1500.37". */
export function plainAmount(amount: string, decimals: number): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  if (decimals === 0) return whole;
  return `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`;
}

/**
 * Formats an amount for a locale. Digits are always 0 to 9, because payers type them into a bank's app.
 * @param amount decimal string; never becomes a number
 */
export function writtenAmount(amount: string, currency: Currency, { locale }: Texts): string {
  const { currencyCode, decimals } = currency;
  return new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    style: 'currency',
    currency: currencyCode,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount as `${number}`);
}

/** A written amount, split around the digits that identify it. */
export interface CutAmount {
  readonly before: string;
  readonly identifying: string;
  readonly after: string;
}

/**
 * The part of `amount` that differs from `requested`, from its first differing digit to its last digit; empty if they
 * are equal.
 */
export function cutAmount(amount: string, requested: string, currency: Currency, texts: Texts): CutAmount {
  const written = writtenAmount(amount, currency, texts);
  const other = writtenAmount(requested, currency, texts);
  if (written === other) return { before: written, identifying: '', after: '' };
  let from = 0;
  while (written[from] === other[from]) from++;
  // With another number of digits the positions do not correspond.
  if (written.length !== other.length) from = written.search(/\d/);
  const to = written.length - (/\D*$/.exec(written)?.[0].length ?? 0);
  return {
    before: written.slice(0, from),
    identifying: written.slice(from, to),
    after: written.slice(to),
  };
}

/** The digit zero of each supported script. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

const latinDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((start) => code >= start && code < start + 10);
    return zero === undefined ? digit : String(code - zero);
  });

/**
 * Reads an amount as a payer types it, with whatever separators: "1,500.50", "1.500,50", "১৫০০". The last separator is
 * the decimal one if no more digits follow than the currency has decimals; the others stand before three digits (or
 * two, as in 1,50,000).
 * @returns a plain decimal string, or undefined if that is ambiguous
 */
export function readAmount(typed: string, decimals: number): string | undefined {
  const text = latinDigits(typed.trim()).replace(/[\s\u00a0\u202f']/g, '');
  const [, whole = '', fraction] = (decimals > 0 && new RegExp(`^(.*\\d)[.,](\\d{1,${decimals}})$`).exec(text)) || [
    '',
    text,
  ];
  if (!/^\d{1,3}([.,]\d{2,3})*([.,]\d{3})$|^\d+$/.test(whole)) return undefined;
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

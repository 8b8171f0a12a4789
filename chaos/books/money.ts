/** Decimals of these currencies, by ISO 4217. */
const DECIMALS = { THB: 2, JPY: 0, KWD: 3 } as const;
/** One of these currencies. */
export type Currency = keyof typeof DECIMALS;
/** All of these currencies. */
export const CURRENCIES = Object.keys(DECIMALS) as readonly Currency[];

/**
 * The unit in which amounts are chosen, in coins: a unit of the currency, or a hundred if the unit is the smallest
 * coin.
 */
export const unitOf = (currency: Currency): bigint => 10n ** BigInt(DECIMALS[currency] || 2);
/** A whole unit of the currency itself, in coins. */
export const whole = (amount: bigint, currency: Currency): bigint => amount * 10n ** BigInt(DECIMALS[currency]);

/** Coins as a plain decimal. */
export function plain(coins: bigint, currency: Currency): string {
  const digits = DECIMALS[currency];
  const text = String(coins < 0n ? -coins : coins).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const sign = coins < 0n ? '-' : '';
  return digits === 0 ? sign + whole : `${sign}${whole}.${text.slice(-digits)}`;
}

/** A plain decimal, such as 12.3400, in coins. @throws if the currency has no such coins */
export function coinsOf(text: string, currency: Currency): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = DECIMALS[currency];
  if (whole === '' || /[1-9]/.test(fraction.slice(digits))) throw new Error(`${text} is not an amount in ${currency}`);
  const coins = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return sign === '-' ? -coins : coins;
}

/** A merchant's fee rule: hundredths of a percent, and coins. */
export interface FeeRule {
  readonly basisPoints: bigint;
  readonly fixed: bigint;
}

/** docs/ledger.md: "rounded half up to the decimals of the currency". */
export const feeOf = (amount: bigint, { basisPoints, fixed }: FeeRule): bigint =>
  (amount * basisPoints + 5_000n) / 10_000n + fixed;

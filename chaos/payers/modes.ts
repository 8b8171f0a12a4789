/** A way in which an account's credits become known, and how it names orders. */
export interface Mode {
  readonly name: string;
  readonly currency: string;
  readonly decimals: number;
  readonly mode: 'REMARK' | 'FLOAT';
  readonly bankCode: string;
  /** The first witness of a credit. */
  readonly witness: 'agent' | 'message' | 'csv' | 'camt';
  /** The published pattern that reads the messages. */
  readonly pattern?: string;
  /** What lies between the amounts of two orders, in units of the currency: more than a float or a mistake. */
  readonly step: bigint;
}

/** Each has a currency of its own, so that each order goes to the account of its mode. */
export const MODES: readonly Mode[] = [
  {
    name: 'agent, remark',
    currency: 'THB',
    decimals: 2,
    step: 10n,
    mode: 'REMARK',
    bankCode: 'KBANK',
    witness: 'agent',
  },
  {
    name: 'agent, float',
    currency: 'INR',
    decimals: 2,
    step: 10n,
    mode: 'FLOAT',
    bankCode: 'SBI',
    witness: 'agent',
  },
  {
    name: 'message, remark',
    currency: 'BDT',
    decimals: 2,
    step: 10n,
    mode: 'REMARK',
    bankCode: 'BKASH',
    witness: 'message',
    pattern: 'bKash received',
  },
  {
    name: 'message, float',
    currency: 'VND',
    decimals: 0,
    step: 1_000n,
    mode: 'FLOAT',
    bankCode: 'TCB',
    witness: 'message',
    pattern: 'Techcombank received',
  },
  {
    name: 'CSV, remark',
    currency: 'EUR',
    decimals: 2,
    step: 10n,
    mode: 'REMARK',
    bankCode: 'CSVB',
    witness: 'csv',
  },
  {
    name: 'camt.053, remark',
    currency: 'USD',
    decimals: 2,
    step: 10n,
    mode: 'REMARK',
    bankCode: 'XMLB',
    witness: 'camt',
  },
];

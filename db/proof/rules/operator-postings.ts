import type { PostingRule } from '../rule';

/** The lines of one kind: accounts and amounts, in terms of a row `p` of operator_postings. */
interface Lines {
  readonly accounts: readonly string[];
  readonly amounts: readonly string[];
}

const MERCHANT = `'merchant:' || p.merchant_id || ':available'`;
const PLACE = `case when p.channel_id is null then 'bank:' || p.account_id else 'channel:' || p.channel_id end`;
const BROUGHT = `case when p.bank_transfer_id is null then ${PLACE} else 'suspense' end`;
const CLAIM = `'channel_claim:' || p.channel_id`;

const between = (debited: string, credited: string): Lines => ({
  accounts: [debited, credited],
  amounts: ['-p.amount', 'p.amount'],
});

const LINES = {
  LATE_CREDIT: {
    accounts: [`'suspense'`, MERCHANT, `'fee_income'`],
    amounts: ['-p.amount', 'p.amount - p.fee', 'p.fee'],
  },
  TOP_UP_RECEIVED: between(`'suspense'`, MERCHANT),
  PAYOUT_RETURNED: {
    accounts: [`'suspense'`, MERCHANT, `'fee_income'`],
    amounts: ['-p.amount', 'p.amount + p.fee', '-p.fee'],
  },
  MONEY_UNCLAIMED: between(`'suspense'`, `'unclaimed'`),
  LATE_RETURNED: between(`'suspense'`, PLACE),
  INTEREST_RECEIVED: between(`'suspense'`, `'bank_cost'`),
  REPORTED_TWICE: between(`'suspense'`, `'bank:' || p.account_id`),
  BANK_CHARGED: between(`'bank_cost'`, PLACE),
  PROFIT_TAKEN: between(`'fee_income'`, PLACE),
  COMMISSION_PAID: between(`'reseller:' || p.reseller_id`, PLACE),
  OWN_TRANSFER_OUT: between(`'in_transit'`, PLACE),
  OWN_TRANSFER_IN: between(BROUGHT, `'in_transit'`),
  ACCOUNT_OPENED: between(PLACE, `'equity'`),
  ACCOUNT_CORRECTED: between(PLACE, `'equity'`),
  CHANNEL_CHARGED: between(`'channel_cost'`, PLACE),
  CLAIM_SETTLED: between(BROUGHT, CLAIM),
  CLAIM_WRITTEN_OFF: between(`'loss'`, CLAIM),
} as const satisfies Readonly<Record<string, Lines>>;

type Kind = keyof typeof LINES;

const rowsOf = (kind: Kind, at: string, { accounts, amounts }: Lines, where = 'true'): string => `
    select p.id as row_id, 'posting ' || p.id as subject, coalesce(p.deposit_id, p.withdrawal_id) as order_id,
      p.bank_transfer_id, p.currency_code as currency, ${at} as at,
      array[${accounts.join(', ')}] as accounts, array[${amounts.join(', ')}] as amounts
    from operator_postings p where p.kind = '${kind}' and ${where}`;

/** What operators post: each row under its own id, with the lines of its kind. */
export const OPERATOR_RULES = Object.fromEntries(
  Object.entries(LINES).map(([kind, lines]) => [kind, { rows: rowsOf(kind as Kind, 'p.at', lines) }]),
) as Readonly<Record<Kind, PostingRule>>;

/** The reversed lines. The merchant owes what it no longer has. */
const reversed = ({ accounts, amounts }: Lines): Lines => ({
  accounts: [...accounts, ...(accounts.includes(MERCHANT) ? [`'merchant_receivable:' || p.merchant_id`] : [])],
  amounts: [
    ...amounts.map((amount, line) => (accounts[line] === MERCHANT ? `-(${amount}) + p.reversal_owed` : `-(${amount})`)),
    ...(accounts.includes(MERCHANT) ? ['-p.reversal_owed'] : []),
  ],
});

/** Reversals of postings by operators. */
export const POSTING_REVERSED: PostingRule = {
  rows: Object.entries(LINES)
    .map(([kind, lines]) => rowsOf(kind as Kind, 'p.reversed_at', reversed(lines), 'p.reversed_at is not null'))
    .join('\n    union all'),
};

import type { Database } from '../client';

type Reader = Pick<Database, 'sql'>;

/** Rows of one statement: the balance of their merchant is locked meanwhile. */
const MOST = 200;

/** A withdrawal whose beneficiary is counted under an older key of the ring. */
export interface OtherBeneficiary {
  readonly id: string;
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly orderNo: string;
  readonly beneficiaryAccount: string;
  /** The hash that it has. */
  readonly accountKey: string;
}

/** The next withdrawals, a batch. */
export interface OtherBeneficiaries {
  readonly found: readonly OtherBeneficiary[];
  /** The last row that was read; null at the end. */
  readonly last: string | null;
}

/** Withdrawals after an id that are not counted under the current key. @param current its id; empty if it has no name */
export async function findOtherBeneficiaries(
  { sql }: Reader,
  after: string,
  current: string,
): Promise<OtherBeneficiaries> {
  const rows = await sql<(OtherBeneficiary & { isOther: boolean; n: number })[]>`
    with next as (
      select id, merchant_id, currency_code, order_no, beneficiary_account,
        coalesce(beneficiary_account_key, '') as account_key,
        beneficiary_account <> erased() and split_part('.' || beneficiary_account_key, '.', -2) <> ${current} as is_other,
        row_number() over (order by id)::int as n
      from withdrawal_orders where id > ${after} order by id limit ${MOST}
    )
    select * from next where is_other or n = (select max(n) from next) order by n`;
  const last = rows.at(-1);
  return {
    found: rows.filter(({ isOther }) => isOther),
    last: last?.n === MOST ? last.id : null,
  };
}

/**
 * Counts withdrawals of one balance under other keys, where they still have the ones that were read. @returns how many
 * were changed
 */
export async function rekeyWithdrawals(
  { sql }: Reader,
  rows: readonly (OtherBeneficiary & { readonly newKey: string })[],
): Promise<number> {
  const [row] = await sql<{ changed: number }[]>`
    select rekey_withdrawals(${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ accountKey }) => accountKey)}::text[], ${rows.map(({ newKey }) => newKey)}::text[]) as changed`;
  return row?.changed ?? 0;
}

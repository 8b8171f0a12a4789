import type { SettlementSkip } from '../../domain/settlement-plan';
import type { Posting } from '../../domain/ledger';
import { type CountedDay, countersOf } from '../authority/day-amounts';
import type { Database } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { settlementRuns } from '../schema/settlement-plans';
import type { WithdrawalRow } from '../withdrawals/withdrawals';
import type { SettlementRow } from './settlements';
import type { Fragment, Sql } from 'postgres';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';

/** The run of a plan's date. */
export type SettlementRunRow = RowOf<typeof settlementRuns>;

const rowOf = rowReader<SettlementRunRow>(amountFieldsOf(settlementRuns));

/** The settlement of a date. */
export interface PlannedSettlement {
  readonly withdrawal: WithdrawalRow;
  readonly settlement: SettlementRow;
  readonly freeze: readonly Posting[];
  /** The standing approval of the plan's approver, and the counters that it counts against; null: people decide. */
  readonly approval: {
    readonly id: string;
    readonly remarks: string;
    readonly counters: readonly CountedDay[];
  } | null;
}

/**
 * Records the run of a plan's date, once; one of several concurrent callers does it. @param planned null for a date
 * that is skipped @returns DONE; or, with nothing written, BEFORE (the date has its run), RECOVERY, or CHANGED
 * (something changed since it was read)
 */
export async function runSettlementPlan(
  { transaction }: Database,
  run: SettlementRunRow,
  planned: PlannedSettlement | null,
): Promise<'DONE' | 'BEFORE' | 'RECOVERY' | 'CHANGED'> {
  const freeze = planned?.freeze ?? [];
  const approval = planned?.approval ?? null;
  return await transaction(async (tx) => {
    const [row] = await tx<{ answer: 'DONE' | 'BEFORE' | 'RECOVERY' | 'CHANGED' }[]>`
      select run_settlement_plan(${tx.json(columnsOf(run))}::jsonb,
        ${planned && tx.json(columnsOf(planned.withdrawal))}::jsonb,
        ${planned && tx.json(columnsOf(planned.settlement))}::jsonb,
        ${accountsOf(freeze)}::text[], ${amountsOf(freeze)}::numeric[],
        ${approval && tx.json({ id: approval.id, remarks: approval.remarks })}::jsonb,
        ${tx.json(countersOf(approval?.counters ?? []))}::jsonb, ${run.ranAt}) as answer`;
    if (!row) throw new Error('one row has none');
    return row.answer;
  });
}

/** Filter of a list of runs. All given conditions must hold; absent and null mean none. */
export interface SettlementRunFilter {
  readonly merchantId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly skipped?: readonly SettlementSkip[] | null;
  /** Whether a settlement was made. */
  readonly settled?: boolean | null;
}

/** How runs are sorted. */
export const SETTLEMENT_RUN_SORTS: Readonly<Record<'RAN_AT', SortColumn<SettlementRunRow>>> = {
  RAN_AT: {
    column: 'r.ran_at',
    type: 'timestamptz',
    value: ({ ranAt }) => ranAt.toISOString(),
  },
};

const from = (sql: Sql, filter: SettlementRunFilter, ...more: Fragment[]): Fragment =>
  sql`from settlement_runs r where ${all(sql, [
    among(sql, 'r.merchant_id', filter.merchantId, 'uuid'),
    among(sql, 'r.currency_code', filter.currencyCode, 'bpchar'),
    among(sql, 'r.skipped', filter.skipped),
    filter.settled != null && (filter.settled ? sql`r.skipped is null` : sql`r.skipped is not null`),
    ...more,
  ])}`;

/** A page of runs. */
export async function listSettlementRuns(
  { read: sql }: Database,
  filter: SettlementRunFilter,
  page: PageRequest<'RAN_AT'>,
): Promise<Page<SettlementRunRow>> {
  const { within, window } = keyset(sql, SETTLEMENT_RUN_SORTS[page.by], 'r.id', page);
  const rows = await sql<Raw<SettlementRunRow>[]>`select r.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(rowOf), page);
}

/** How many runs match a filter, counted up to `most`. */
export const countSettlementRuns = async (
  { read: sql }: Database,
  filter: SettlementRunFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);

/** The rows of the floors under accepting: one for each insert, and one that all updates lock. */
export const BENCH_TABLES = `
  create table if not exists bench_rows (
    id uuid primary key, merchant_order_no text not null, amount numeric(20, 4) not null,
    currency_code char(3) not null, created_at timestamptz(3) not null);
  create table if not exists bench_hot_row (id integer primary key, amount numeric(20, 4) not null, deposits integer not null);
  insert into bench_hot_row values (1, 0, 0) on conflict do nothing`;

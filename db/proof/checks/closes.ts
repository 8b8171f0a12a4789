import type { Check } from '../rule';

/** Closed days, and their differences. */
export const CLOSES: readonly Check[] = [
  {
    name: 'a closed day says what was posted for it',
    each: false,
    faults: `
      with closed as (
        select c.*, coalesce(b.time_zone, h.time_zone) as zone
        from day_closes c left join bank_accounts b on b.id = c.account_id left join channels h on h.id = c.channel_id
        where c.status = 'CLOSED'
      ), zones as (
        select distinct account, zone from closed
      ), days as (
        select e.account, e.currency_code, coalesce(e.value_day, (t.at at time zone z.zone)::date) as day,
          sum(-e.amount) filter (where e.amount < 0) as credits, sum(e.amount) filter (where e.amount > 0) as debits
        from zones z join ledger_entries e on e.account = z.account
        join ledger_transfers t on t.id = e.transfer_id
        group by 1, 2, 3
      ), run as (
        select *, sum(coalesce(credits, 0) - coalesce(debits, 0)) over (partition by account, currency_code order by day)
          as closing
        from days
      )
      select c.id as row_id, format('close of %s %s %s', c.account, c.currency_code, c.day) as subject,
        format('it says +%s -%s = %s, and postings say +%s -%s = %s', c.credits, c.debits, c.closing,
          coalesce(d.credits, 0), coalesce(d.debits, 0), coalesce(r.closing, 0)) as problem
      from closed c
      left join days d on d.account = c.account and d.currency_code = c.currency_code and d.day = c.day
      left join lateral (
        select run.closing from run
        where run.account = c.account and run.currency_code = c.currency_code and run.day <= c.day
        order by run.day desc limit 1) r on true
      where c.credits <> coalesce(d.credits, 0) or c.debits <> coalesce(d.debits, 0)
        or c.closing <> coalesce(r.closing, 0)`,
  },
  {
    name: 'a closed day differs by its item',
    each: false,
    faults: `
      select c.id as row_id, format('close of %s %s %s', c.account, c.currency_code, c.day) as subject,
        format('it differs by %s, and its item is of %s', coalesce(c.outside - c.closing, 0), coalesce(i.amount, 0))
          as problem
      from day_closes c left join close_items i on i.close_id = c.id
      where c.status = 'CLOSED' and coalesce(c.outside - c.closing, 0) <> coalesce(i.amount, 0)
        or c.status = 'PROPOSED' and i.id is not null`,
  },
  {
    name: 'a day that a person closed is closed, and none that nobody closed',
    each: false,
    faults: `
      with said as (
        select split_part(a.subject, ':', 2)::uuid as id, a.after, 'operator:' || a.operator_id as who
        from audit_log a
        where a.action = 'closeDay' and a.outcome = 'OK' and a.subject ~ '^day_close:[0-9a-f-]{36}$' and a.after is not null
      ), closed as (
        select * from day_closes where status = 'CLOSED'
      )
      select s.id as row_id, 'close ' || s.id as subject, 'a person closed this day, and it is not closed' as problem
      from said s left join closed c on c.id = s.id
        and (c.account, c.currency_code, c.day::text, c.closed_by) = (
          s.after ->> 'account', s.after ->> 'currencyCode', s.after ->> 'day', s.who)
      where c.id is null
      union all
      select c.id, 'close ' || c.id, format('the day %s of %s is closed, and nobody closed it', c.day, c.account)
      from closed c where c.id not in (select id from said)`,
  },
];

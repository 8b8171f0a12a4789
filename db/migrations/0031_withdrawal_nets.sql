-- Wakes withdrawals that should have moved by themselves: decided and not followed, past their deadline and not told,
-- approved and given to nobody.
create function wake_overdue_withdrawals(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_place_at timestamptz, p_place_id uuid,
  p_limit integer, p_now timestamptz
) returns setof withdrawal_orders
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  for v in
    select * from withdrawal_orders w
    where w.status in ('PENDING', 'APPROVED')
      and (p_place_id is null or (w.created_at, w.id) > (p_place_at, p_place_id))
      and case w.status
        when 'PENDING' then w.escalated_at is null and w.decide_by <= p_overdue_before
          or exists (select from withdrawal_decisions d
            where d.withdrawal_id = w.id and d.at <= p_overdue_before
              and (d.verdict = 'REJECT' or (select count(*) from withdrawal_decisions a
                where a.withdrawal_id = w.id and a.verdict = 'APPROVE') >= w.people_needed))
        else w.updated_at <= p_overdue_before
          and not exists (select from payout_attempts a where a.withdrawal_id = w.id and a.finished_at is null)
      end
      and 'withdrawal:' || w.order_no not in (select keys_on_their_way(p_parked_after))
    order by w.created_at, w.id limit p_limit
    for no key update of w skip locked
  loop
    perform wake_withdrawal(v, p_now);
    return next v;
  end loop;
end $$;

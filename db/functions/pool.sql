-- The pool of a merchant's orders in a currency; null: the default one.
create or replace function pool_of(p_merchant uuid, p_currency char(3)) returns uuid
language sql stable
as $$ select pool_id from merchant_currencies where merchant_id = p_merchant and currency_code = p_currency $$;

-- Whether a merchant's orders may use an account: it is in the merchant's pool or, for a merchant without one, in no
-- pool.
create or replace function uses_account(p_merchant uuid, p_currency char(3), p_account uuid) returns boolean
language sql stable
as $$
  select case when pool.id is null
      then not exists (select from pool_accounts where account_id = p_account)
      else exists (select from pool_accounts where account_id = p_account and pool_id = pool.id) end
  from (select pool_of(p_merchant, p_currency) as id) pool
$$;

-- The same of a channel, which may be in pools of several currencies.
create or replace function uses_channel(p_merchant uuid, p_currency char(3), p_channel uuid) returns boolean
language sql stable
as $$
  select case when pool.id is null
      then not exists (
        select from pool_channels c join pools p on p.id = c.pool_id
        where c.channel_id = p_channel and p.currency_code = p_currency)
      else exists (select from pool_channels where channel_id = p_channel and pool_id = pool.id) end
  from (select pool_of(p_merchant, p_currency) as id) pool
$$;

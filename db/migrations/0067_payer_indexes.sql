drop index concurrently if exists deposit_orders_of_email;
--> statement-breakpoint
create index concurrently deposit_orders_of_email on deposit_orders (lower(btrim(payer_email) collate "C"),created_at)
  where payer_email is not null;
--> statement-breakpoint
drop index concurrently if exists deposit_orders_of_payer_account;
--> statement-breakpoint
create index concurrently deposit_orders_of_payer_account on deposit_orders (ltrim(upper(regexp_replace(normalize(payer_account_no, NFKC) collate "C", '[^A-Za-z0-9]', '', 'g')), '0'),created_at)
  where payer_account_no is not null;
--> statement-breakpoint
drop index concurrently if exists deposit_orders_of_mobile;
--> statement-breakpoint
create index concurrently deposit_orders_of_mobile on deposit_orders (regexp_replace(payer_mobile, '[^0-9]', '', 'g'),created_at)
  where payer_mobile is not null;

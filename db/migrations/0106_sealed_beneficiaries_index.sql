drop index concurrently if exists withdrawal_orders_of_indexed_beneficiary;
--> statement-breakpoint
create index concurrently withdrawal_orders_of_indexed_beneficiary
  on withdrawal_orders (beneficiary_account_index, beneficiary_bank_code, created_at, id)
  where beneficiary_account_index is not null;

drop index concurrently if exists listed_beneficiaries_by_key;
--> statement-breakpoint
create index concurrently listed_beneficiaries_by_key on listed_beneficiaries (account_key, bank_code)
  where removed_at is null;

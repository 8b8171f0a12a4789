-- Letters and digits of a bank's reference count, as those of a beneficiary's number do: banks print one with and without
-- hyphens. One without any is as it is written. The same as normaliseReference of domain/bank-reference.ts.
create or replace function bank_reference_key(p_reference text) returns text
language sql immutable strict parallel safe
return upper(coalesce(
  nullif(regexp_replace(normalize(p_reference, nfkc) collate "pg_unicode_fast", '[^[:alnum:]]', '', 'g'), ''),
  normalize(p_reference, nfkc)) collate "pg_unicode_fast");
--> statement-breakpoint
-- What came before is known by its new key, unless two references became one: these keep theirs.
update bank_transfers t set dedupe_key = 'ref:' || k.key
from (
  select id, dedupe_key, bank_reference_key(bank_reference) as key,
    count(*) over (partition by account_id, bank_reference_key(bank_reference)) as as_many
  from bank_transfers where dedupe_key like 'ref:%') k
where k.id = t.id and k.as_many = 1 and k.dedupe_key <> 'ref:' || k.key;
--> statement-breakpoint
update bank_debits t set dedupe_key = 'ref:' || k.key
from (
  select id, dedupe_key, bank_reference_key(bank_reference) as key,
    count(*) over (partition by account_id, bank_reference_key(bank_reference)) as as_many
  from bank_debits where dedupe_key like 'ref:%') k
where k.id = t.id and k.as_many = 1 and k.dedupe_key <> 'ref:' || k.key;
--> statement-breakpoint
update payment_claims set reference_key = bank_reference_key(reference)
where reference_key <> bank_reference_key(reference);

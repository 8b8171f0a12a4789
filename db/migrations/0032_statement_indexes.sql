DROP INDEX CONCURRENTLY IF EXISTS "bank_debits_alike";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "bank_debits_alike" ON "bank_debits" USING btree ("account_id","amount","bank_time");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_value_day";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_entries_value_day" ON "ledger_entries" USING btree ("account","value_day") WHERE "ledger_entries"."value_day" is not null;

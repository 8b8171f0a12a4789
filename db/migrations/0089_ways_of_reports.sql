DROP INDEX CONCURRENTLY IF EXISTS "bank_transfers_ways";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "bank_transfers_ways" ON "bank_transfers" USING btree ("account_id","amount",("source" || case when "bank_reference" is null then ' ?' else '' end),"bank_time");

DROP INDEX CONCURRENTLY IF EXISTS "operator_postings_rule";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "operator_postings_rule" ON "operator_postings" USING btree ("rule_id","at") WHERE "operator_postings"."rule_id" is not null;

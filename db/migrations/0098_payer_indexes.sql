-- The indexes over values in clear shrink as keys:rotate seals the rows. Processes of the older release, which looked the
-- values up by those that are dropped below, count along the orders of the merchant until they are replaced.
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_by_email";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_by_email" ON "deposit_orders" USING btree ("payer_email_index", "created_at") WHERE "payer_email_index" IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_by_mobile";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_by_mobile" ON "deposit_orders" USING btree ("payer_mobile_index", "created_at") WHERE "payer_mobile_index" IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_by_payer_account";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_by_payer_account" ON "deposit_orders" USING btree ("payer_account_index", "created_at") WHERE "payer_account_index" IS NOT NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_clear_email";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_clear_email" ON "deposit_orders" USING btree (lower(btrim("payer_email") collate "C"), "created_at")
  WHERE "payer_email" IS NOT NULL AND "payer_email_index" IS NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_clear_mobile";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_clear_mobile" ON "deposit_orders" USING btree (regexp_replace("payer_mobile", '[^0-9]', '', 'g'), "created_at")
  WHERE "payer_mobile" IS NOT NULL AND "payer_mobile_index" IS NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_clear_payer_account";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_clear_payer_account" ON "deposit_orders" USING btree (ltrim(upper(regexp_replace(normalize("payer_account_no", NFKC) collate "C", '[^A-Za-z0-9]', '', 'g')), '0'), "created_at")
  WHERE "payer_account_no" IS NOT NULL AND "payer_account_index" IS NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_of_email";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_of_mobile";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_of_payer_account";

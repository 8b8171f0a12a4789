ALTER TABLE "payment_claims" ADD COLUMN "paid_at" timestamp (3) with time zone;
--> statement-breakpoint
UPDATE "payment_claims" c SET "paid_at" = d."completed_at"
FROM "deposit_orders" d WHERE d."id" = c."deposit_id" AND d."status" = 'COMPLETED';

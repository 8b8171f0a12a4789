-- The last statement adds a wider one, in the same transaction: a sealed picture is a little longer.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "payment_claims" DROP CONSTRAINT "payment_claims_receipt";
--> statement-breakpoint
ALTER TABLE "platform" ADD COLUMN "seals_personal" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- On a new database no process of an older release runs.
UPDATE "platform" SET "seals_personal" = true WHERE NOT EXISTS (SELECT FROM "merchants");
--> statement-breakpoint
ALTER TABLE "process_keys" ADD COLUMN "seals_personal" boolean;
--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_receipt" CHECK (("payment_claims"."receipt" is null) = ("payment_claims"."receipt_type" is null)
        and "payment_claims"."receipt_type" in ('image/png', 'image/jpeg', 'image/webp')
        and octet_length("payment_claims"."receipt") <= 2097152 + 64) NOT VALID;

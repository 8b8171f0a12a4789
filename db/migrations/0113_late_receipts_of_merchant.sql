ALTER TABLE "late_receipts" ADD COLUMN "merchant_id" uuid;
--> statement-breakpoint
ALTER TABLE "late_receipts" ADD CONSTRAINT "late_receipts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
update late_receipts l set merchant_id = d.merchant_id
from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
where a.id = l.attempt_id;

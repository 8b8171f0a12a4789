CREATE TABLE "deposit_recalls" (
	"deposit_id" uuid PRIMARY KEY NOT NULL,
	"change_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"from_available" numeric(20, 4) NOT NULL,
	"owed" numeric(20, 4) NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_recalls_amounts" CHECK ("deposit_recalls"."amount" > 0 and "deposit_recalls"."from_available" >= 0 and "deposit_recalls"."owed" >= 0
        and "deposit_recalls"."amount" = "deposit_recalls"."from_available" + "deposit_recalls"."owed")
);
--> statement-breakpoint
ALTER TABLE "merchant_balances" ADD COLUMN "receivable" numeric(20, 4) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_balances" ADD CONSTRAINT "merchant_balances_receivable" CHECK ("merchant_balances"."receivable" >= 0);
CREATE TABLE "settlement_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"bank_code" text NOT NULL,
	"bank_branch" text,
	"account_no" text collate "C" NOT NULL,
	"account_holder" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"usable_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	CONSTRAINT "settlement_accounts_usable" CHECK ("settlement_accounts"."usable_at" >= "settlement_accounts"."created_at"),
	CONSTRAINT "settlement_accounts_disabled" CHECK (("settlement_accounts"."disabled_at" is null) = ("settlement_accounts"."disabled_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"withdrawal_id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"reference" text collate "C" NOT NULL,
	"reason" text NOT NULL,
	"proposed_by" uuid NOT NULL,
	CONSTRAINT "settlements_reference" UNIQUE("merchant_id","reference")
);
--> statement-breakpoint
ALTER TABLE "settlement_accounts" ADD CONSTRAINT "settlement_accounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_account_id_settlement_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."settlement_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_accounts_number" ON "settlement_accounts" USING btree ("merchant_id","currency_code","bank_code","account_no") WHERE "settlement_accounts"."disabled_at" is null;--> statement-breakpoint
CREATE INDEX "settlement_accounts_newest" ON "settlement_accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "settlement_accounts_of_merchant" ON "settlement_accounts" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "settlements_account" ON "settlements" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_settlements" ON "withdrawal_orders" USING btree ("created_at","id") WHERE "withdrawal_orders"."origin" = 'SETTLEMENT';--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_settlement" CHECK ("withdrawal_orders"."origin" = 'MERCHANT' or ("withdrawal_orders"."people_needed" > 0 and "withdrawal_orders"."callback_url" is null));
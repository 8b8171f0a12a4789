CREATE TABLE "listed_payers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"list" text NOT NULL,
	"trait" text NOT NULL,
	"value" text NOT NULL,
	"key" text collate "C" NOT NULL,
	"bank_code" text collate "C",
	"merchant_id" uuid,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "listed_payers_list" CHECK ("listed_payers"."list" in ('DENY', 'WATCH', 'ALLOW')),
	CONSTRAINT "listed_payers_trait" CHECK ("listed_payers"."trait" in ('NAME', 'ACCOUNT', 'USER', 'EMAIL', 'MOBILE') and "listed_payers"."key" <> ''
        and ("listed_payers"."bank_code" is null or "listed_payers"."trait" = 'ACCOUNT')),
	CONSTRAINT "listed_payers_expiry" CHECK ("listed_payers"."expires_at" > "listed_payers"."created_at")
);
--> statement-breakpoint
CREATE TABLE "payer_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid,
	"currency_code" char(3) NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"change_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payer_rules_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "payer_rules_version" UNIQUE NULLS NOT DISTINCT("merchant_id","currency_code","version"),
	CONSTRAINT "payer_rules_comparison" CHECK (coalesce("payer_rules"."rules" ->> 'comparison' in ('IGNORE', 'WAIT', 'RETURN')
        and jsonb_typeof("payer_rules"."rules" -> 'velocity') = 'array', false))
);
--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "payer_finding" text;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "payer_outcome" text;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "payer_findings" jsonb;--> statement-breakpoint
ALTER TABLE "listed_payers" ADD CONSTRAINT "listed_payers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payer_rules" ADD CONSTRAINT "payer_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payer_rules" ADD CONSTRAINT "payer_rules_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE UNIQUE INDEX "listed_payers_once" ON "listed_payers" USING btree ("key","trait",coalesce("bank_code", ''),coalesce("merchant_id", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "listed_payers"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "listed_payers_newest" ON "listed_payers" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_payer" CHECK (num_nulls("deposit_orders"."payer_outcome", "deposit_orders"."payer_findings") in (0, 2)
        and "deposit_orders"."payer_outcome" in ('WAIT', 'WATCH', 'ALLOW') and jsonb_typeof("deposit_orders"."payer_findings") = 'array') NOT VALID;

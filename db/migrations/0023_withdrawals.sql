CREATE TABLE "banks" (
	"currency_code" char(3) NOT NULL,
	"bank_code" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "banks_currency_code_bank_code_pk" PRIMARY KEY("currency_code","bank_code")
);
--> statement-breakpoint
CREATE TABLE "listed_beneficiaries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid,
	"bank_code" text collate "C" NOT NULL,
	"account_no" text collate "C" NOT NULL,
	"list" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "listed_beneficiaries_list" CHECK ("listed_beneficiaries"."list" in ('ALLOW', 'DENY'))
);
--> statement-breakpoint
CREATE TABLE "review_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid,
	"currency_code" char(3) NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_rules_version" UNIQUE NULLS NOT DISTINCT("merchant_id","currency_code","version")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_days" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"day" date NOT NULL,
	"beneficiary" text collate "C" NOT NULL,
	"orders" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	CONSTRAINT "withdrawal_days_merchant_id_currency_code_day_beneficiary_pk" PRIMARY KEY("merchant_id","currency_code","day","beneficiary")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"verdict" text NOT NULL,
	"remarks" text,
	"at" timestamp (3) with time zone NOT NULL,
	"applied_at" timestamp (3) with time zone,
	CONSTRAINT "withdrawal_decisions_once" UNIQUE("withdrawal_id","operator_id"),
	CONSTRAINT "withdrawal_decisions_verdict" CHECK ("withdrawal_decisions"."verdict" in ('APPROVE', 'REJECT')),
	CONSTRAINT "withdrawal_decisions_remarks" CHECK ("withdrawal_decisions"."verdict" = 'APPROVE' or btrim(coalesce("withdrawal_decisions"."remarks", '')) <> '')
);
--> statement-breakpoint
CREATE TABLE "withdrawal_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_no" text collate "C" NOT NULL,
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text collate "C" NOT NULL,
	"origin" text NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"actual_amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"beneficiary_name" text NOT NULL,
	"beneficiary_account" text collate "C" NOT NULL,
	"beneficiary_bank_code" text collate "C" NOT NULL,
	"beneficiary_bank_name" text NOT NULL,
	"beneficiary_bank_branch" text,
	"status" text NOT NULL,
	"people_needed" smallint NOT NULL,
	"review" jsonb NOT NULL,
	"decide_by" timestamp (3) with time zone NOT NULL,
	"escalated_at" timestamp (3) with time zone,
	"claimed_by" uuid,
	"claimed_at" timestamp (3) with time zone,
	"is_auto_approved" boolean NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"approved_by" text,
	"approval_remarks" text,
	"payout_method" text,
	"account_id" uuid,
	"channel_id" uuid,
	"channel_order_no" text,
	"estimated_channel_cost" numeric(20, 4),
	"actual_channel_cost" numeric(20, 4),
	"processed_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"bank_reference" text,
	"needs_manual_intervention" boolean NOT NULL,
	"manual_reason" text,
	"callback_url" text,
	"extra_data" text,
	"trace_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawal_orders_order_no_unique" UNIQUE("order_no"),
	CONSTRAINT "withdrawal_orders_origin" CHECK ("withdrawal_orders"."origin" in ('MERCHANT', 'SETTLEMENT')),
	CONSTRAINT "withdrawal_orders_status" CHECK ("withdrawal_orders"."status" in ('PENDING', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED')),
	CONSTRAINT "withdrawal_orders_amounts" CHECK ("withdrawal_orders"."amount" > 0 and "withdrawal_orders"."fee" >= 0 and "withdrawal_orders"."actual_amount" >= 0),
	CONSTRAINT "withdrawal_orders_people" CHECK ("withdrawal_orders"."people_needed" between 0 and 2),
	CONSTRAINT "withdrawal_orders_approved" CHECK (("withdrawal_orders"."approved_at" is not null) = ("withdrawal_orders"."status" in ('APPROVED', 'COMPLETED', 'FAILED', 'CANCELLED'))
        and ("withdrawal_orders"."approved_at" is null) = ("withdrawal_orders"."approved_by" is null)
        and "withdrawal_orders"."is_auto_approved" = ("withdrawal_orders"."people_needed" = 0)
        and ("withdrawal_orders"."approved_by" is null or "withdrawal_orders"."is_auto_approved" = ("withdrawal_orders"."approved_by" = 'system'))),
	CONSTRAINT "withdrawal_orders_completed" CHECK (("withdrawal_orders"."status" = 'COMPLETED') = ("withdrawal_orders"."completed_at" is not null)
        and ("withdrawal_orders"."status" = 'COMPLETED') = ("withdrawal_orders"."actual_amount" > 0)),
	CONSTRAINT "withdrawal_orders_ended" CHECK (("withdrawal_orders"."status" in ('REJECTED', 'FAILED', 'CANCELLED')) = ("withdrawal_orders"."ended_at" is not null)),
	CONSTRAINT "withdrawal_orders_claimed" CHECK (("withdrawal_orders"."claimed_by" is null) = ("withdrawal_orders"."claimed_at" is null)),
	CONSTRAINT "withdrawal_orders_method" CHECK ("withdrawal_orders"."payout_method" in ('CHANNEL', 'MANUAL')),
	CONSTRAINT "withdrawal_orders_dispatched" CHECK ("withdrawal_orders"."approved_at" is not null or ("withdrawal_orders"."payout_method" is null and "withdrawal_orders"."processed_at" is null
        and not "withdrawal_orders"."needs_manual_intervention")),
	CONSTRAINT "withdrawal_orders_intervention" CHECK (not "withdrawal_orders"."needs_manual_intervention" or "withdrawal_orders"."manual_reason" is not null)
);
--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "withdrawal_fee_percent" numeric(7, 4) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "withdrawal_fee_fixed" numeric(20, 4) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "withdrawal_min" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "withdrawal_max" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "listed_beneficiaries" ADD CONSTRAINT "listed_beneficiaries_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_rules" ADD CONSTRAINT "review_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_days" ADD CONSTRAINT "withdrawal_days_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_claimed_by_operators_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "listed_beneficiaries_once" ON "listed_beneficiaries" USING btree ("account_no","bank_code",coalesce("merchant_id", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "listed_beneficiaries"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "listed_beneficiaries_newest" ON "listed_beneficiaries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_newest" ON "withdrawal_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_merchant" ON "withdrawal_orders" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_by_amount" ON "withdrawal_orders" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_beneficiary" ON "withdrawal_orders" USING btree ("beneficiary_account","beneficiary_bank_code","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_open" ON "withdrawal_orders" USING btree ("status","created_at","id") WHERE "withdrawal_orders"."status" in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX "withdrawal_orders_interventions" ON "withdrawal_orders" USING btree ("created_at","id") WHERE "withdrawal_orders"."needs_manual_intervention";--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_withdrawal" CHECK ("merchant_currencies"."withdrawal_fee_percent" >= 0 and "merchant_currencies"."withdrawal_fee_percent" < 100 and "merchant_currencies"."withdrawal_fee_fixed" >= 0
        and "merchant_currencies"."withdrawal_min" > 0 and "merchant_currencies"."withdrawal_max" > 0);
CREATE TABLE "account_costs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"credit_percent" numeric(7, 4) NOT NULL,
	"credit_fixed" numeric(20, 4) NOT NULL,
	"payout_percent" numeric(7, 4) NOT NULL,
	"payout_fixed" numeric(20, 4) NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_costs_version" UNIQUE("account_id","version"),
	CONSTRAINT "account_costs_rates" CHECK ("account_costs"."version" > 0 and "account_costs"."credit_percent" >= 0 and "account_costs"."credit_percent" < 100 and "account_costs"."credit_fixed" >= 0
        and "account_costs"."payout_percent" >= 0 and "account_costs"."payout_percent" < 100 and "account_costs"."payout_fixed" >= 0)
);
--> statement-breakpoint
ALTER TABLE "account_costs" ADD CONSTRAINT "account_costs_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;

CREATE TABLE "journal_charts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"accounts" jsonb NOT NULL,
	"updated_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "journal_charts_name" UNIQUE("name"),
	CONSTRAINT "journal_charts_accounts" CHECK (jsonb_array_length("journal_charts"."accounts") > 0)
);
--> statement-breakpoint
CREATE TABLE "statement_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"action" text NOT NULL,
	"direction" text NOT NULL,
	"account_id" uuid,
	"other_account_id" uuid,
	"memo_pattern" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"max_amount" numeric(20, 4) NOT NULL,
	"max_day_amount" numeric(20, 4) NOT NULL,
	"active" boolean NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_rules_version" UNIQUE("name","version"),
	CONSTRAINT "statement_rules_action" CHECK (coalesce(case "statement_rules"."action"
        when 'BANK_CHARGE' then "statement_rules"."direction" = 'DEBIT' and "statement_rules"."other_account_id" is null
        when 'INTEREST' then "statement_rules"."direction" = 'CREDIT' and "statement_rules"."other_account_id" is null
        when 'OWN_TRANSFER' then "statement_rules"."direction" in ('CREDIT', 'DEBIT') and "statement_rules"."account_id" is not null
          and "statement_rules"."other_account_id" is not null and "statement_rules"."account_id" <> "statement_rules"."other_account_id"
        end, false)),
	CONSTRAINT "statement_rules_limits" CHECK ("statement_rules"."max_amount" > 0 and "statement_rules"."max_day_amount" >= "statement_rules"."max_amount")
);
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD COLUMN "rule_id" uuid;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD COLUMN "rule_id" uuid;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "lines" integer;--> statement-breakpoint
ALTER TABLE "statement_rules" ADD CONSTRAINT "statement_rules_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "statement_rules" ADD CONSTRAINT "statement_rules_other_account_id_bank_accounts_id_fk" FOREIGN KEY ("other_account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE UNIQUE INDEX "statement_rules_active" ON "statement_rules" USING btree ("name") WHERE "statement_rules"."active";--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_rule_id_statement_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."statement_rules"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_rule_id_statement_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."statement_rules"("id") ON DELETE no action ON UPDATE no action NOT VALID;

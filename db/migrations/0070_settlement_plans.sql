CREATE TABLE "calendars" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"days_off" smallint[] NOT NULL,
	"holidays" date[] NOT NULL,
	"holiday_names" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "calendars_name_unique" UNIQUE("name"),
	CONSTRAINT "calendars_days_off" CHECK (cardinality("calendars"."days_off") < 7 and 1 <= all("calendars"."days_off") and 7 >= all("calendars"."days_off")),
	CONSTRAINT "calendars_holidays" CHECK ("calendars"."name" <> '' and cardinality("calendars"."holidays") = cardinality("calendars"."holiday_names"))
);
--> statement-breakpoint
CREATE TABLE "settlement_plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"version" integer NOT NULL,
	"effective_from" timestamp (3) with time zone NOT NULL,
	"ends" boolean NOT NULL,
	"trigger" text NOT NULL,
	"weekdays" smallint[] NOT NULL,
	"month_days" smallint[] NOT NULL,
	"time" text,
	"threshold" numeric(20, 4),
	"calendar_id" uuid,
	"shift" text NOT NULL,
	"keep" numeric(20, 4) NOT NULL,
	"minimum" numeric(20, 4) NOT NULL,
	"approved_up_to" numeric(20, 4),
	"account_id" uuid NOT NULL,
	"change_id" uuid NOT NULL,
	"proposed_by" uuid NOT NULL,
	"approved_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settlement_plans_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "settlement_plans_version" UNIQUE("merchant_id","currency_code","version"),
	CONSTRAINT "settlement_plans_of_merchant" UNIQUE("id","merchant_id","currency_code"),
	CONSTRAINT "settlement_plans_begins" CHECK ("settlement_plans"."version" > 0 and "settlement_plans"."effective_from" >= "settlement_plans"."created_at"),
	CONSTRAINT "settlement_plans_trigger" CHECK (("settlement_plans"."threshold" is not null) = ("settlement_plans"."trigger" = 'THRESHOLD') and ("settlement_plans"."time" is null) = ("settlement_plans"."trigger" = 'THRESHOLD')
        and (cardinality("settlement_plans"."weekdays") > 0) = ("settlement_plans"."trigger" = 'WEEKDAYS')
        and (cardinality("settlement_plans"."month_days") > 0) = ("settlement_plans"."trigger" = 'MONTH_DAYS')
        and "settlement_plans"."trigger" in ('EVERY_DAY', 'WEEKDAYS', 'MONTH_DAYS', 'THRESHOLD')
        and "settlement_plans"."shift" in ('NEXT', 'PREVIOUS')),
	CONSTRAINT "settlement_plans_days" CHECK (1 <= all("settlement_plans"."weekdays") and 7 >= all("settlement_plans"."weekdays") and 1 <= all("settlement_plans"."month_days")
        and 31 >= all("settlement_plans"."month_days") and "settlement_plans"."time" ~ '^([01][0-9]|2[0-3]):(00|15|30|45)$'),
	CONSTRAINT "settlement_plans_amounts" CHECK ("settlement_plans"."keep" >= 0 and "settlement_plans"."minimum" >= 0 and "settlement_plans"."approved_up_to" >= 0
        and "settlement_plans"."threshold" > "settlement_plans"."keep" and "settlement_plans"."threshold" - "settlement_plans"."keep" >= "settlement_plans"."minimum"),
	CONSTRAINT "settlement_plans_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id"),
	CONSTRAINT "settlement_plans_account_id_settlement_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "settlement_accounts"("id"),
	CONSTRAINT "settlement_plans_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "change_requests"("id"),
	CONSTRAINT "settlement_plans_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "operators"("id"),
	CONSTRAINT "settlement_plans_approved_by_operators_id_fk" FOREIGN KEY ("approved_by") REFERENCES "operators"("id"),
	CONSTRAINT "settlement_plans_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "merchant_currencies"("merchant_id","currency_code")
);
--> statement-breakpoint
CREATE TABLE "settlement_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"plan_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"due_on" date NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"missed" integer NOT NULL,
	"available" numeric(20, 4) NOT NULL,
	"skipped" text,
	"withdrawal_id" uuid,
	CONSTRAINT "settlement_runs_withdrawal_id_unique" UNIQUE("withdrawal_id"),
	CONSTRAINT "settlement_runs_once" UNIQUE("merchant_id","currency_code","due_on"),
	CONSTRAINT "settlement_runs_outcome" CHECK (num_nonnulls("settlement_runs"."skipped", "settlement_runs"."withdrawal_id") = 1 and "settlement_runs"."skipped" in ('NO_BALANCE', 'BELOW_MINIMUM',
        'OWES_US', 'MERCHANT_DISABLED', 'ACCOUNT_DISABLED', 'ACCOUNT_COOLING', 'BANK_UNKNOWN')),
	CONSTRAINT "settlement_runs_due" CHECK ("settlement_runs"."due_at" <= "settlement_runs"."ran_at" and "settlement_runs"."missed" >= 0),
	CONSTRAINT "settlement_runs_withdrawal_id_settlements_withdrawal_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "settlements"("withdrawal_id"),
	CONSTRAINT "settlement_runs_plan" FOREIGN KEY ("plan_id","merchant_id","currency_code") REFERENCES "settlement_plans"("id","merchant_id","currency_code")
);
--> statement-breakpoint
CREATE INDEX "settlement_runs_newest" ON "settlement_runs" USING btree ("ran_at","id");
--> statement-breakpoint
CREATE INDEX "settlement_runs_of_merchant" ON "settlement_runs" USING btree ("merchant_id","ran_at","id");

CREATE TABLE "day_amounts" (
	"counter" text NOT NULL,
	"subject" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"day" date NOT NULL,
	"orders" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	CONSTRAINT "day_amounts_counter_subject_currency_code_day_pk" PRIMARY KEY("counter","subject","currency_code","day"),
	CONSTRAINT "day_amounts_counter" CHECK ("day_amounts"."counter" in ('MATCHER', 'APPROVER', 'MERCHANT', 'BENEFICIARY')),
	CONSTRAINT "day_amounts_positive" CHECK ("day_amounts"."orders" > 0 and "day_amounts"."amount" >= 0)
);
--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "confirmed_by" text;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operator_links" ADD COLUMN "approved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "decides_from" timestamp (3) with time zone;
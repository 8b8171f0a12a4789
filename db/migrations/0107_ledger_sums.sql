CREATE TABLE "ledger_sum_ends" (
	"id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "ledger_sum_ends_one" CHECK ("ledger_sum_ends"."id" = 1 and "ledger_sum_ends"."seq" > 0)
);
--> statement-breakpoint
-- Room for the new versions of the rows, which the sealer changes each minute.
CREATE TABLE "ledger_sums" (
	"account" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"credits" numeric(38, 4) NOT NULL,
	"debits" numeric(38, 4) NOT NULL,
	CONSTRAINT "ledger_sums_account_currency_code_pk" PRIMARY KEY("account","currency_code"),
	CONSTRAINT "ledger_sums_signs" CHECK ("ledger_sums"."credits" >= 0 and "ledger_sums"."debits" <= 0)
) WITH (fillfactor = 50);

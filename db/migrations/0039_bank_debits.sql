CREATE TABLE "bank_debits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"bank_reference" text,
	"dedupe_key" text collate "C" NOT NULL,
	"bank_time" timestamp (3) with time zone NOT NULL,
	"payee_name" text,
	"payee_account" text,
	"memo" text NOT NULL,
	"balance_after" numeric(20, 4),
	"source" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"attempt_id" uuid,
	"explained_by" text,
	"explained_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "bank_debits_once" UNIQUE("account_id","dedupe_key"),
	CONSTRAINT "bank_debits_amount" CHECK ("bank_debits"."amount" > 0),
	CONSTRAINT "bank_debits_explained" CHECK (("bank_debits"."explained_at" is null) = ("bank_debits"."explained_by" is null)
        and ("bank_debits"."explained_at" is not null) = ("bank_debits"."attempt_id" is not null or "bank_debits"."reason" is not null))
);
--> statement-breakpoint
ALTER TABLE "bank_debits" ADD CONSTRAINT "bank_debits_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_debits" ADD CONSTRAINT "bank_debits_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_debits_attempt" ON "bank_debits" USING btree ("attempt_id") WHERE "bank_debits"."attempt_id" is not null;--> statement-breakpoint
CREATE INDEX "bank_debits_open" ON "bank_debits" USING btree ("received_at","id") WHERE "bank_debits"."explained_at" is null;--> statement-breakpoint
CREATE INDEX "bank_debits_open_of_account" ON "bank_debits" USING btree ("account_id","amount") WHERE "bank_debits"."explained_at" is null;--> statement-breakpoint
CREATE INDEX "bank_debits_newest" ON "bank_debits" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "bank_debits_of_account" ON "bank_debits" USING btree ("account_id","received_at","id");--> statement-breakpoint
CREATE INDEX "payout_attempts_by_hand" ON "payout_attempts" USING btree ("account_id","finished_at") WHERE "payout_attempts"."account_id" is not null;
CREATE TABLE "receivable_covers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL CONSTRAINT "receivable_covers_merchant_id_merchants_id_fk" REFERENCES "merchants"("id"),
	"currency_code" char(3) NOT NULL,
	"version" bigint NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receivable_covers_once" UNIQUE("merchant_id","currency_code","version"),
	CONSTRAINT "receivable_covers_amount" CHECK ("receivable_covers"."amount" > 0 and "receivable_covers"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "payout_aftermaths" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" uuid NOT NULL CONSTRAINT "payout_aftermaths_attempt_id_payout_attempts_id_fk" REFERENCES "payout_attempts"("id"),
	"type" text NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"from_available" numeric(20, 4) DEFAULT '0' NOT NULL,
	"lost" numeric(20, 4) DEFAULT '0' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_aftermaths_once" UNIQUE("attempt_id","type"),
	CONSTRAINT "payout_aftermaths_amounts" CHECK ("payout_aftermaths"."amount" > 0 and "payout_aftermaths"."from_available" >= 0 and "payout_aftermaths"."lost" >= 0 and case "payout_aftermaths"."type"
        when 'WITHDRAWAL_LATE_PAID' then "payout_aftermaths"."amount" = "payout_aftermaths"."from_available" + "payout_aftermaths"."lost"
        when 'WITHDRAWAL_RETURNED' then "payout_aftermaths"."from_available" = 0 and "payout_aftermaths"."lost" = 0
        else false end)
);
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_bank_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("bank_transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_type" CHECK (type in ('BANK_CREDIT', 'DEPOSIT_CREDIT', 'BALANCE_TOP_UP', 'BALANCE_ADJUSTMENT', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID', 'CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED', 'RECEIVABLE_COVERED')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_key" CHECK (case
        when "ledger_transfers"."type" = 'BANK_CREDIT' then "ledger_transfers"."bank_transfer_id" is not null and "ledger_transfers"."order_id" is null
          and "ledger_transfers"."key" = 'bank-credit:' || "ledger_transfers"."bank_transfer_id"::text
        when "ledger_transfers"."type" in ('DEPOSIT_CREDIT', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED',
            'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" = replace(lower("ledger_transfers"."type"), '_', '-') || ':' || "ledger_transfers"."order_id"::text
        when "ledger_transfers"."type" in ('CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        when "ledger_transfers"."type" = 'RECEIVABLE_COVERED' then "ledger_transfers"."order_id" is null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ '^receivable-covered:[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$'
        else "ledger_transfers"."order_id" is null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        end) NOT VALID;
--> statement-breakpoint
-- What was posted before these rows were kept.
INSERT INTO "receivable_covers" ("id", "merchant_id", "currency_code", "version", "amount", "at")
SELECT t.id, split_part(t.key, ':', 2)::uuid, t.currency_code, split_part(t.key, ':', 4)::bigint, e.amount, t.at
FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.account LIKE 'merchant_receivable:%'
WHERE t.type = 'RECEIVABLE_COVERED';
--> statement-breakpoint
INSERT INTO "payout_aftermaths" ("id", "attempt_id", "type", "amount", "from_available", "lost", "at")
SELECT t.id, split_part(t.key, ':', 2)::uuid, t.type,
  (SELECT abs(e.amount) FROM ledger_entries e WHERE e.transfer_id = t.id AND e.account LIKE 'channel:%'),
  coalesce((SELECT -e.amount FROM ledger_entries e WHERE e.transfer_id = t.id AND e.account LIKE 'merchant:%' AND e.amount < 0), 0),
  coalesce((SELECT -e.amount FROM ledger_entries e WHERE e.transfer_id = t.id AND e.account = 'loss'), 0), t.at
FROM ledger_transfers t WHERE t.type IN ('WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED');

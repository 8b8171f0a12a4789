CREATE TABLE "commission_rates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_kind" text NOT NULL,
	"version" integer NOT NULL,
	"reseller_id" uuid NOT NULL,
	"effective_from" timestamp (3) with time zone NOT NULL,
	"ends" boolean NOT NULL,
	"percent" numeric(7, 4) NOT NULL,
	"decimals" smallint NOT NULL,
	"change_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "commission_rates_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "commission_rates_version" UNIQUE("merchant_id","currency_code","order_kind","version"),
	CONSTRAINT "commission_rates_of_merchant" UNIQUE("id","merchant_id","currency_code"),
	CONSTRAINT "commission_rates_of_reseller" UNIQUE("id","merchant_id","currency_code","reseller_id"),
	CONSTRAINT "commission_rates_kind" CHECK ("commission_rates"."order_kind" in ('DEPOSIT', 'WITHDRAWAL')),
	CONSTRAINT "commission_rates_begins" CHECK ("commission_rates"."version" > 0 and "commission_rates"."effective_from" >= "commission_rates"."created_at"),
	CONSTRAINT "commission_rates_share" CHECK ("commission_rates"."percent" > 0 and "commission_rates"."percent" <= 100 and "commission_rates"."decimals" between 0 and 4)
);
--> statement-breakpoint
CREATE TABLE "commissions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"rate_id" uuid NOT NULL,
	"reseller_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_id" uuid,
	"fee" numeric(20, 4) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"reversed_at" timestamp (3) with time zone,
	"reversed_by" uuid,
	CONSTRAINT "commissions_source" CHECK (coalesce(case "commissions"."source" when 'DEPOSIT' then "commissions"."order_id" = "commissions"."id"
        when 'WITHDRAWAL' then "commissions"."order_id" = "commissions"."id" when 'LATE_PAYMENT' then "commissions"."order_id" is not null
        when 'LATE_CREDIT' then true when 'RETURN_REVERSED' then "commissions"."order_id" is not null end, false)),
	CONSTRAINT "commissions_amount" CHECK ("commissions"."amount" > 0 and "commissions"."amount" <= "commissions"."fee"),
	CONSTRAINT "commissions_reversal" CHECK (num_nulls("commissions"."reversed_at", "commissions"."reversed_by") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "resellers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "resellers_name_unique" UNIQUE("name"),
	CONSTRAINT "resellers_name" CHECK (btrim("resellers"."name") <> '')
);
--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "commission_rate_id" uuid;
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD COLUMN "reseller_id" uuid;
--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD COLUMN "commission_rate_id" uuid;
--> statement-breakpoint
ALTER TABLE "commission_rates" ADD CONSTRAINT "commission_rates_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "commission_rates" ADD CONSTRAINT "commission_rates_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "commission_rates" ADD CONSTRAINT "commission_rates_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_rate" FOREIGN KEY ("rate_id","merchant_id","currency_code","reseller_id") REFERENCES "public"."commission_rates"("id","merchant_id","currency_code","reseller_id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
CREATE INDEX "commissions_newest" ON "commissions" USING btree ("at","id");
--> statement-breakpoint
CREATE INDEX "commissions_of_merchant" ON "commissions" USING btree ("merchant_id","at","id");
--> statement-breakpoint
CREATE INDEX "commissions_of_reseller" ON "commissions" USING btree ("reseller_id","at","id");
--> statement-breakpoint
CREATE INDEX "commissions_of_order" ON "commissions" USING btree ("order_id") WHERE "commissions"."order_id" is not null;
--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_commission_rate" FOREIGN KEY ("commission_rate_id","merchant_id","currency_code") REFERENCES "public"."commission_rates"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_commission_rate" FOREIGN KEY ("commission_rate_id","merchant_id","currency_code") REFERENCES "public"."commission_rates"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" ~ '^(suspense|fee_income|channel_cost|loss|treasury|adjustment|equity|bank_cost|in_transit|unclaimed|(bank|channel|channel_claim|merchant_receivable|reseller):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$') NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_type";
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_type" CHECK (type in ('BANK_CREDIT', 'DEPOSIT_CREDIT', 'BALANCE_TOP_UP', 'BALANCE_ADJUSTMENT', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID', 'CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED', 'RECEIVABLE_COVERED', 'CHANNEL_CLAIMED', 'LATE_RECEIVED', 'FEE_HELD', 'FEE_RELEASED', 'FEE_CAPTURED', 'COMMISSION_EARNED', 'COMMISSION_REVERSED', 'LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'LATE_RETURNED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'COMMISSION_PAID', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID', 'BOOK_OPENED')) NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_key";
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_key" CHECK (case
        when "ledger_transfers"."type" = 'BANK_CREDIT' then "ledger_transfers"."bank_transfer_id" is not null and "ledger_transfers"."order_id" is null
          and "ledger_transfers"."key" = 'bank-credit:' || "ledger_transfers"."bank_transfer_id"::text
        when "ledger_transfers"."type" in ('DEPOSIT_CREDIT', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED',
            'FEE_HELD', 'FEE_RELEASED', 'FEE_CAPTURED', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" = replace(lower("ledger_transfers"."type"), '_', '-') || ':' || "ledger_transfers"."order_id"::text
        when "ledger_transfers"."type" in ('CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CHANNEL_CLAIMED',
            'LATE_RECEIVED') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        when "ledger_transfers"."type" in ('LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'LATE_RETURNED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'COMMISSION_PAID', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID', 'COMMISSION_EARNED', 'COMMISSION_REVERSED') then
          "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        when "ledger_transfers"."type" = 'RECEIVABLE_COVERED' then "ledger_transfers"."order_id" is null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ '^receivable-covered:[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$'
        else "ledger_transfers"."order_id" is null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        end) NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "operator_postings" DROP CONSTRAINT "operator_postings_kind";
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_kind" CHECK (coalesce(case kind when 'LATE_CREDIT' then merchant_id is not null and bank_debit_id is null and account_id is null and channel_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(bank_transfer_id, deposit_attempt_id) = 1 and fee >= 0 and amount > 0 and change_id is not null when 'TOP_UP_RECEIVED' then bank_transfer_id is not null and merchant_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'PAYOUT_RETURNED' then bank_transfer_id is not null and merchant_id is not null and withdrawal_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and deposit_id is null and reseller_id is null and pair_id is null and fee >= 0 and amount > 0 when 'MONEY_UNCLAIMED' then bank_debit_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(bank_transfer_id, deposit_attempt_id) = 1 and fee = 0 and amount > 0 and change_id is not null when 'LATE_RETURNED' then deposit_attempt_id is not null and channel_id is not null and bank_transfer_id is null and bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'INTEREST_RECEIVED' then bank_transfer_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 when 'REPORTED_TWICE' then bank_transfer_id is not null and account_id is not null and bank_debit_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'BANK_CHARGED' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 when 'PROFIT_TAKEN' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'COMMISSION_PAID' then bank_debit_id is not null and account_id is not null and reseller_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'OWN_TRANSFER_OUT' then bank_transfer_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount > 0 when 'OWN_TRANSFER_IN' then bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and num_nonnulls(bank_transfer_id, channel_id) = 1 and fee = 0 and amount > 0 when 'ACCOUNT_OPENED' then bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'ACCOUNT_CORRECTED' then bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'CHANNEL_CHARGED' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_SETTLED' then channel_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_WRITTEN_OFF' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null end, false)) NOT VALID;

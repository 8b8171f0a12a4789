CREATE TABLE "credit_work" (
	"transfer_id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid,
	"note" text,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "balance_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD COLUMN "amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD COLUMN "used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD COLUMN "contested" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_work" ADD CONSTRAINT "credit_work_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_work" ADD CONSTRAINT "credit_work_owner_id_operators_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_amount" CHECK ("transfer_allocations"."amount" > 0) NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_type";
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_type" CHECK (type in ('BANK_CREDIT', 'DEPOSIT_CREDIT', 'BALANCE_TOP_UP', 'BALANCE_ADJUSTMENT', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID', 'CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED', 'RECEIVABLE_COVERED', 'CHANNEL_CLAIMED', 'LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID')) NOT VALID;
--> statement-breakpoint
-- squawk-ignore ban-drop-constraint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_key";
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_key" CHECK (case
        when "ledger_transfers"."type" = 'BANK_CREDIT' then "ledger_transfers"."bank_transfer_id" is not null and "ledger_transfers"."order_id" is null
          and "ledger_transfers"."key" = 'bank-credit:' || "ledger_transfers"."bank_transfer_id"::text
        when "ledger_transfers"."type" in ('DEPOSIT_CREDIT', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED',
            'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" = replace(lower("ledger_transfers"."type"), '_', '-') || ':' || "ledger_transfers"."order_id"::text
        when "ledger_transfers"."type" in ('CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CHANNEL_CLAIMED') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        when "ledger_transfers"."type" in ('LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID') then
          "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        when "ledger_transfers"."type" = 'RECEIVABLE_COVERED' then "ledger_transfers"."order_id" is null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ '^receivable-covered:[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$'
        else "ledger_transfers"."order_id" is null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        end) NOT VALID;
--> statement-breakpoint
-- squawk-ignore ban-drop-constraint
ALTER TABLE "operator_postings" DROP CONSTRAINT "operator_postings_kind";
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_kind" CHECK (coalesce(case kind when 'LATE_CREDIT' then bank_transfer_id is not null and merchant_id is not null and bank_debit_id is null and account_id is null and channel_id is null and withdrawal_id is null and pair_id is null and fee >= 0 and amount > 0 and change_id is not null when 'TOP_UP_RECEIVED' then bank_transfer_id is not null and merchant_id is not null and bank_debit_id is null and account_id is null and channel_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'PAYOUT_RETURNED' then bank_transfer_id is not null and merchant_id is not null and withdrawal_id is not null and bank_debit_id is null and account_id is null and channel_id is null and deposit_id is null and pair_id is null and fee >= 0 and amount > 0 when 'MONEY_UNCLAIMED' then bank_transfer_id is not null and bank_debit_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'INTEREST_RECEIVED' then bank_transfer_id is not null and bank_debit_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 when 'REPORTED_TWICE' then bank_transfer_id is not null and account_id is not null and bank_debit_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'BANK_CHARGED' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 when 'PROFIT_TAKEN' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'OWN_TRANSFER_OUT' then bank_transfer_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount > 0 when 'OWN_TRANSFER_IN' then bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and num_nonnulls(bank_transfer_id, channel_id) = 1 and fee = 0 and amount > 0 when 'ACCOUNT_OPENED' then bank_transfer_id is null and bank_debit_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'ACCOUNT_CORRECTED' then bank_transfer_id is null and bank_debit_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'CHANNEL_CHARGED' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_SETTLED' then channel_id is not null and bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_WRITTEN_OFF' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null end, false)) NOT VALID;

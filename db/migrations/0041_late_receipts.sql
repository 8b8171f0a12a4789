CREATE TABLE "late_receipts" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"cost" numeric(20, 4) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "late_receipts_amounts" CHECK ("late_receipts"."amount" > 0 and "late_receipts"."cost" >= 0)
);
--> statement-breakpoint
ALTER TABLE "deposit_attempts" ADD COLUMN "recheck_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD COLUMN "deposit_attempt_id" uuid;
--> statement-breakpoint
ALTER TABLE "late_receipts" ADD CONSTRAINT "late_receipts_attempt_id_deposit_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."deposit_attempts"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
CREATE INDEX "late_receipts_waiting" ON "late_receipts" USING btree ("at","attempt_id") WHERE "late_receipts"."ended_at" is null;
--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_deposit_attempt_id_deposit_attempts_id_fk" FOREIGN KEY ("deposit_attempt_id") REFERENCES "public"."deposit_attempts"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_type";
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_type" CHECK (type in ('BANK_CREDIT', 'DEPOSIT_CREDIT', 'BALANCE_TOP_UP', 'BALANCE_ADJUSTMENT', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID', 'CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED', 'RECEIVABLE_COVERED', 'CHANNEL_CLAIMED', 'LATE_RECEIVED', 'LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'LATE_RETURNED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID')) NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
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
        when "ledger_transfers"."type" in ('CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CHANNEL_CLAIMED',
            'LATE_RECEIVED') then
          "ledger_transfers"."order_id" is not null and "ledger_transfers"."bank_transfer_id" is null
          and "ledger_transfers"."key" ~ ('^' || replace(lower("ledger_transfers"."type"), '_', '-') || ':[0-9a-f-]{36}$')
        when "ledger_transfers"."type" in ('LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'LATE_RETURNED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID') then
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
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_kind" CHECK (coalesce(case kind when 'LATE_CREDIT' then merchant_id is not null and bank_debit_id is null and account_id is null and channel_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(bank_transfer_id, deposit_attempt_id) = 1 and fee >= 0 and amount > 0 and change_id is not null when 'TOP_UP_RECEIVED' then bank_transfer_id is not null and merchant_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'PAYOUT_RETURNED' then bank_transfer_id is not null and merchant_id is not null and withdrawal_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and deposit_id is null and pair_id is null and fee >= 0 and amount > 0 when 'MONEY_UNCLAIMED' then bank_debit_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(bank_transfer_id, deposit_attempt_id) = 1 and fee = 0 and amount > 0 and change_id is not null when 'LATE_RETURNED' then deposit_attempt_id is not null and channel_id is not null and bank_transfer_id is null and bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'INTEREST_RECEIVED' then bank_transfer_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 when 'REPORTED_TWICE' then bank_transfer_id is not null and account_id is not null and bank_debit_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'BANK_CHARGED' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 when 'PROFIT_TAKEN' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'OWN_TRANSFER_OUT' then bank_transfer_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount > 0 when 'OWN_TRANSFER_IN' then bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and num_nonnulls(bank_transfer_id, channel_id) = 1 and fee = 0 and amount > 0 when 'ACCOUNT_OPENED' then bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'ACCOUNT_CORRECTED' then bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'CHANNEL_CHARGED' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_SETTLED' then channel_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_WRITTEN_OFF' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null end, false)) NOT VALID;

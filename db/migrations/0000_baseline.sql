-- Functions that indexes are built with. They are schema: to change one is to build its indexes anew.
-- A bank's reference made comparable: banks print one with and without spaces, in either case. The same as
-- normaliseReference of domain/bank-reference.ts, which a test holds it to; the characters are those that are white
-- space there. Its body is read when it is made, so that it means the same whatever the search path.
create function bank_reference_key(p_reference text) returns text
language sql immutable strict parallel safe
return upper(translate(normalize(p_reference, nfkc),
  E'\t\n\u000B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
  '') collate "pg_unicode_fast");
--> statement-breakpoint
-- A beneficiary's number made comparable: people write one with spaces, dots and hyphens, in either case, and who wants
-- to pass a denylist writes it as nobody would. Letters and digits count; a number without any is as it is written. Its
-- body is read when it is made, so that it means the same whatever the search path.
create function account_number_key(p_account_no text) returns text
language sql immutable strict parallel safe
return coalesce(
  nullif(upper(regexp_replace(normalize(p_account_no, nfkc) collate "pg_unicode_fast", '[^[:alnum:]]', '', 'g')), ''),
  p_account_no);
--> statement-breakpoint
CREATE TABLE "agent_key_accounts" (
	"agent_key_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	CONSTRAINT "agent_key_accounts_agent_key_id_account_id_pk" PRIMARY KEY("agent_key_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "agent_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"label" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"max_transfer_amount" numeric(20, 4),
	"max_daily_amount" numeric(20, 4),
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "agent_keys_key_id_unique" UNIQUE("key_id"),
	CONSTRAINT "agent_keys_ceilings" CHECK ("agent_keys"."max_transfer_amount" > 0 and "agent_keys"."max_daily_amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "agent_nonces" (
	"agent_key_id" uuid NOT NULL,
	"nonce" text NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_nonces_agent_key_id_nonce_pk" PRIMARY KEY("agent_key_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"merchant_id" uuid,
	"about" jsonb NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"mailed_at" timestamp (3) with time zone,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "alerts_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seq" bigint,
	CONSTRAINT "alerts_key_unique" UNIQUE("key"),
	CONSTRAINT "alerts_seq_unique" UNIQUE("seq"),
	CONSTRAINT "alerts_acknowledged" CHECK (("alerts"."acknowledged_at" is null) = ("alerts"."acknowledged_by" is null))
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"id" smallint PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_head_one" CHECK ("audit_head"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"operator_id" uuid,
	"login" text,
	"via" text,
	"credential" text,
	"address" text,
	"user_agent" text,
	"action" text NOT NULL,
	"subject" text,
	"reason" text,
	"before" jsonb,
	"after" jsonb,
	"outcome" text NOT NULL,
	"trace_id" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_days" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposits" integer NOT NULL,
	CONSTRAINT "account_days_account_id_day_pk" PRIMARY KEY("account_id","day"),
	CONSTRAINT "account_days_never_negative" CHECK ("account_days"."amount" >= 0 and "account_days"."deposits" >= 0)
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"bank_branch" text,
	"account_no" text collate "C" NOT NULL,
	"account_holder" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"min_amount" numeric(20, 4),
	"max_amount" numeric(20, 4),
	"max_daily_amount" numeric(20, 4),
	"max_open_deposits" integer DEFAULT 1000 NOT NULL,
	"float_step" numeric(20, 4),
	"float_up" numeric(20, 4),
	"float_down" numeric(20, 4),
	"quarantine_minutes" integer DEFAULT 60 NOT NULL,
	"bank_balance" numeric(20, 4),
	"bank_balance_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_accounts_number" UNIQUE("bank_code","account_no"),
	CONSTRAINT "bank_accounts_mode" CHECK ("bank_accounts"."mode" in ('REMARK', 'FLOAT')),
	CONSTRAINT "bank_accounts_limits" CHECK ("bank_accounts"."min_amount" > 0 and "bank_accounts"."max_amount" > 0 and "bank_accounts"."max_daily_amount" > 0
        and "bank_accounts"."max_open_deposits" > 0 and "bank_accounts"."quarantine_minutes" between 0 and 10080),
	CONSTRAINT "bank_accounts_float" CHECK (case "bank_accounts"."mode"
        when 'FLOAT' then coalesce("bank_accounts"."float_step" > 0 and "bank_accounts"."float_up" >= 0 and "bank_accounts"."float_down" >= 0, false)
        else "bank_accounts"."float_step" is null and "bank_accounts"."float_up" is null and "bank_accounts"."float_down" is null end),
	CONSTRAINT "bank_accounts_status" CHECK ("bank_accounts"."status" in ('ACTIVE', 'PAUSED', 'DISABLED'))
);
--> statement-breakpoint
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
CREATE TABLE "bank_transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"bank_reference" text,
	"dedupe_key" text collate "C" NOT NULL,
	"bank_time" timestamp (3) with time zone NOT NULL,
	"payer_name" text,
	"payer_account" text,
	"memo" text NOT NULL,
	"balance_after" numeric(20, 4),
	"source" text NOT NULL,
	"unmatched_reason" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_transfers_once" UNIQUE("account_id","direction","dedupe_key"),
	CONSTRAINT "bank_transfers_direction" CHECK ("bank_transfers"."direction" in ('CREDIT')),
	CONSTRAINT "bank_transfers_amount" CHECK ("bank_transfers"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "transfer_allocations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL,
	"deposit_id" uuid NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"matched_by" text NOT NULL,
	"reason" text,
	"at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "banks" (
	"currency_code" char(3) NOT NULL,
	"bank_code" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "banks_currency_code_bank_code_pk" PRIMARY KEY("currency_code","bank_code")
);
--> statement-breakpoint
CREATE TABLE "callback_attempts" (
	"notification_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"attempt" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"response_status" integer,
	"response_body" text,
	"error" text,
	CONSTRAINT "callback_attempts_notification_id_generation_attempt_pk" PRIMARY KEY("notification_id","generation","attempt")
);
--> statement-breakpoint
CREATE TABLE "callback_hosts_seen" (
	"merchant_id" uuid NOT NULL,
	"host" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "callback_hosts_seen_merchant_id_host_pk" PRIMARY KEY("merchant_id","host")
);
--> statement-breakpoint
CREATE TABLE "notification_logs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"order_no" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"notification_type" text NOT NULL,
	"target_url" text NOT NULL,
	"request_body" text NOT NULL,
	"signature" text,
	"api_key_id" uuid,
	"status" text NOT NULL,
	"attempt_count" smallint NOT NULL,
	"total_attempts" integer NOT NULL,
	"generation" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"response_status" integer,
	"response_body" text,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_logs_once" UNIQUE("order_id","notification_type"),
	CONSTRAINT "notification_logs_status" CHECK ("notification_logs"."status" in ('SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED')),
	CONSTRAINT "notification_logs_attempts" CHECK ("notification_logs"."attempt_count" between 0 and 5),
	CONSTRAINT "notification_logs_lease" CHECK (("notification_logs"."status" = 'SENDING') = ("notification_logs"."lease_until" is not null)),
	CONSTRAINT "notification_logs_next" CHECK (("notification_logs"."status" = 'WAITING_RETRY') = ("notification_logs"."next_attempt_at" is not null)),
	CONSTRAINT "notification_logs_signed" CHECK (("notification_logs"."signature" is null) = ("notification_logs"."api_key_id" is null))
);
--> statement-breakpoint
CREATE TABLE "cashier_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text collate "C" NOT NULL,
	"currency_code" char(3) NOT NULL,
	"user_id" text collate "C",
	"callback_url" text,
	"extra_data" text,
	"payer_bank_cards" jsonb NOT NULL,
	"chosen_card" smallint,
	"status" text NOT NULL,
	"version" integer NOT NULL,
	"deposit_order_id" uuid,
	"trace_id" text,
	"expire_at" timestamp (3) with time zone NOT NULL,
	"submitted_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cashier_sessions_deposit_order_id_unique" UNIQUE("deposit_order_id"),
	CONSTRAINT "cashier_sessions_status" CHECK ("cashier_sessions"."status" in ('PENDING', 'SUBMITTED', 'EXPIRED')),
	CONSTRAINT "cashier_sessions_version" CHECK ("cashier_sessions"."version" > 0),
	CONSTRAINT "cashier_sessions_submitted" CHECK (("cashier_sessions"."status" = 'SUBMITTED') = ("cashier_sessions"."deposit_order_id" is not null)
        and ("cashier_sessions"."status" = 'SUBMITTED') = ("cashier_sessions"."submitted_at" is not null)),
	CONSTRAINT "cashier_sessions_revoked" CHECK ("cashier_sessions"."revoked_at" is null or "cashier_sessions"."status" = 'EXPIRED'),
	CONSTRAINT "cashier_sessions_cards" CHECK (jsonb_typeof("cashier_sessions"."payer_bank_cards") = 'array' and jsonb_array_length("cashier_sessions"."payer_bank_cards") <= 10
        and ("cashier_sessions"."chosen_card" is null or "cashier_sessions"."chosen_card" between 0 and jsonb_array_length("cashier_sessions"."payer_bank_cards") - 1))
);
--> statement-breakpoint
CREATE TABLE "payment_claims" (
	"id" uuid PRIMARY KEY NOT NULL,
	"deposit_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"reference_key" text collate "C" NOT NULL,
	"receipt" "bytea",
	"receipt_type" text,
	"at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" uuid,
	CONSTRAINT "payment_claims_deposit_id_unique" UNIQUE("deposit_id"),
	CONSTRAINT "payment_claims_reference" CHECK (char_length("payment_claims"."reference") between 1 and 128),
	CONSTRAINT "payment_claims_receipt" CHECK (("payment_claims"."receipt" is null) = ("payment_claims"."receipt_type" is null)
        and "payment_claims"."receipt_type" in ('image/png', 'image/jpeg', 'image/webp')
        and octet_length("payment_claims"."receipt") <= 2097152),
	CONSTRAINT "payment_claims_closed" CHECK (("payment_claims"."closed_at" is null) = ("payment_claims"."closed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "change_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"merchant_id" uuid,
	"summary" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"touches" text[] NOT NULL,
	"amount" numeric(20, 4),
	"currency_code" char(3),
	"payload" jsonb,
	"basis" text,
	"reason" text NOT NULL,
	"evidence" text,
	"evidence_links" text[] NOT NULL,
	"status" text NOT NULL,
	"alone" text,
	"proposed_by" uuid NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"decision_reason" text,
	CONSTRAINT "change_requests_money" CHECK (("change_requests"."amount" is null) = ("change_requests"."currency_code" is null)),
	CONSTRAINT "change_requests_alone" CHECK ("change_requests"."alone" in ('CLOSING', 'SANDBOX')),
	CONSTRAINT "change_requests_decision" CHECK (coalesce(("change_requests"."status" = 'PROPOSED') = ("change_requests"."payload" is not null)
        and ("change_requests"."status" = 'PROPOSED') = ("change_requests"."decided_at" is null)
        and case "change_requests"."status"
          when 'PROPOSED' then "change_requests"."decided_by" is null and "change_requests"."alone" is null
          when 'APPLIED' then ("change_requests"."decided_by" = "change_requests"."proposed_by") = ("change_requests"."alone" is not null)
          when 'REJECTED' then "change_requests"."decided_by" <> "change_requests"."proposed_by" and "change_requests"."alone" is null
          when 'WITHDRAWN' then "change_requests"."decided_by" = "change_requests"."proposed_by" and "change_requests"."alone" is null
          when 'EXPIRED' then "change_requests"."decided_by" is null and "change_requests"."alone" is null
        end, false))
);
--> statement-breakpoint
CREATE TABLE "channel_balances" (
	"channel_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"balance" numeric(20, 4) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_balances_channel_id_currency_code_pk" PRIMARY KEY("channel_id","currency_code")
);
--> statement-breakpoint
CREATE TABLE "channel_banks" (
	"channel_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"bank_code" text NOT NULL,
	"channel_bank_code" text NOT NULL,
	CONSTRAINT "channel_banks_channel_id_currency_code_bank_code_pk" PRIMARY KEY("channel_id","currency_code","bank_code")
);
--> statement-breakpoint
CREATE TABLE "channel_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"reference" text NOT NULL,
	"told" text NOT NULL,
	"headers" jsonb NOT NULL,
	"body" "bytea" NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_messages_once" UNIQUE("channel_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_code" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"currencies" text[] NOT NULL,
	"min_amount" numeric(20, 4),
	"max_amount" numeric(20, 4),
	"low_balance" numeric(20, 4),
	"priority" integer NOT NULL,
	"weight" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"mock_outcome" text,
	"base_url" text,
	"key_id" text,
	"sealed_secret" text,
	"timeout_seconds" integer NOT NULL,
	"cost_percent" numeric(7, 4) NOT NULL,
	"cost_fixed" numeric(20, 4) NOT NULL,
	"failure_final_delay_seconds" integer NOT NULL,
	"answer_within_seconds" integer NOT NULL,
	"health" text NOT NULL,
	"health_reason" text,
	"health_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channels_channel_code_unique" UNIQUE("channel_code"),
	CONSTRAINT "channels_code" CHECK ("channels"."channel_code" ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
	CONSTRAINT "channels_kind" CHECK ("channels"."kind" in ('MOCK', 'HTTP')),
	CONSTRAINT "channels_currencies" CHECK (cardinality("channels"."currencies") > 0),
	CONSTRAINT "channels_health" CHECK ("channels"."health" in ('UNKNOWN', 'UP', 'DOWN')),
	CONSTRAINT "channels_of_kind" CHECK (case "channels"."kind"
        when 'MOCK' then coalesce("channels"."mock_outcome" in ('PENDING', 'COMPLETED', 'FAILED'), false)
          and num_nonnulls("channels"."base_url", "channels"."key_id", "channels"."sealed_secret") = 0
        else "channels"."mock_outcome" is null and num_nulls("channels"."base_url", "channels"."key_id", "channels"."sealed_secret") = 0 end),
	CONSTRAINT "channels_numbers" CHECK ("channels"."min_amount" > 0 and "channels"."max_amount" > 0 and "channels"."priority" between 0 and 1000
        and "channels"."weight" between 1 and 1000 and "channels"."timeout_seconds" between 1 and 60
        and "channels"."cost_percent" >= 0 and "channels"."cost_percent" < 100 and "channels"."cost_fixed" >= 0
        and "channels"."failure_final_delay_seconds" between 0 and 604800
        and "channels"."answer_within_seconds" between 1 and 604800)
);
--> statement-breakpoint
CREATE TABLE "deposit_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_no" text collate "C" NOT NULL,
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text collate "C" NOT NULL,
	"order_type" text NOT NULL,
	"cashier_session_id" uuid,
	"account_id" uuid NOT NULL,
	"requested_amount" numeric(20, 4) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"actual_amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"expected_remark" text collate "C",
	"quota_day" date,
	"trace_id" text,
	"status" text NOT NULL,
	"expire_at" timestamp (3) with time zone NOT NULL,
	"matched_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"callback_url" text,
	"extra_data" text,
	"user_id" text collate "C",
	"payer_name" text,
	"payer_mobile" text,
	"payer_email" text,
	"payer_bank_code" text,
	"payer_account_no" text,
	"payer_account_last4" text,
	"payment_snapshot" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_orders_order_no_unique" UNIQUE("order_no"),
	CONSTRAINT "deposit_orders_remark" UNIQUE("expected_remark","account_id"),
	CONSTRAINT "deposit_orders_type" CHECK ("deposit_orders"."order_type" in ('DIRECT', 'CASHIER')),
	CONSTRAINT "deposit_orders_cashier" CHECK ("deposit_orders"."cashier_session_id" is null or "deposit_orders"."order_type" = 'CASHIER'),
	CONSTRAINT "deposit_orders_status" CHECK ("deposit_orders"."status" in ('PENDING', 'MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')),
	CONSTRAINT "deposit_orders_amounts" CHECK ("deposit_orders"."requested_amount" > 0 and "deposit_orders"."amount" > 0 and "deposit_orders"."fee" >= 0 and "deposit_orders"."actual_amount" >= 0),
	CONSTRAINT "deposit_orders_completed" CHECK (("deposit_orders"."status" = 'COMPLETED') = ("deposit_orders"."completed_at" is not null)
        and ("deposit_orders"."status" = 'COMPLETED') = ("deposit_orders"."actual_amount" > 0)
        and ("deposit_orders"."completed_at" is null or ("deposit_orders"."matched_at" is not null and "deposit_orders"."fee" < "deposit_orders"."actual_amount")))
);
--> statement-breakpoint
CREATE TABLE "reserved_amounts" (
	"account_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposit_id" uuid NOT NULL,
	"free_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reserved_amounts_account_id_currency_code_amount_pk" PRIMARY KEY("account_id","currency_code","amount"),
	CONSTRAINT "reserved_amounts_deposit_id_unique" UNIQUE("deposit_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"transfer_id" uuid NOT NULL,
	"line" smallint NOT NULL,
	"account" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"balance_before" numeric(20, 4),
	"balance_after" numeric(20, 4),
	"version" bigint,
	CONSTRAINT "ledger_entries_transfer_id_line_pk" PRIMARY KEY("transfer_id","line"),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" <> 0),
	CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" ~ '^(suspense|fee_income|channel_cost|loss|treasury|adjustment|(bank|channel|merchant_receivable):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$'),
	CONSTRAINT "ledger_entries_balance" CHECK (case when "ledger_entries"."account" like 'merchant:%'
        then "ledger_entries"."balance_before" is not null and "ledger_entries"."version" is not null
          and "ledger_entries"."balance_after" = "ledger_entries"."balance_before" + "ledger_entries"."amount"
        else "ledger_entries"."balance_before" is null and "ledger_entries"."balance_after" is null and "ledger_entries"."version" is null end)
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"key" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_id" uuid,
	"bank_transfer_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_transfers_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "merchant_balances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"available" numeric(20, 4) NOT NULL,
	"frozen" numeric(20, 4) NOT NULL,
	"total" numeric(20, 4) GENERATED ALWAYS AS (available + frozen) STORED,
	"receivable" numeric(20, 4) DEFAULT '0' NOT NULL,
	"version" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_balances_currency" UNIQUE("merchant_id","currency_code"),
	CONSTRAINT "merchant_balances_never_negative" CHECK ("merchant_balances"."available" >= 0 and "merchant_balances"."frozen" >= 0),
	CONSTRAINT "merchant_balances_receivable" CHECK ("merchant_balances"."receivable" >= 0)
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"recipient" text NOT NULL,
	"link_id" uuid,
	"operator_id" uuid,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "mails_status" CHECK ("mails"."status" in ('QUEUED', 'SENT', 'FAILED')),
	CONSTRAINT "mails_sent" CHECK (("mails"."status" = 'SENT') = ("mails"."sent_at" is not null)),
	CONSTRAINT "mails_event" CHECK (case "mails"."event"
        when 'alerts' then "mails"."operator_id" is not null and "mails"."link_id" is null
        else "mails"."event" in ('tenant_owner_invite', 'operator_password_reset')
          and "mails"."link_id" is not null and "mails"."operator_id" is null end)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"lookup_hash" text NOT NULL,
	"sealed_key" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_lookup_hash_unique" UNIQUE("lookup_hash")
);
--> statement-breakpoint
CREATE TABLE "merchant_currencies" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"enabled" boolean NOT NULL,
	"deposit_fee_percent" numeric(7, 4) NOT NULL,
	"deposit_fee_fixed" numeric(20, 4) NOT NULL,
	"cashier_denominations" numeric(20, 4)[] DEFAULT '{}' NOT NULL,
	"cashier_custom_min" numeric(20, 4),
	"cashier_custom_max" numeric(20, 4),
	"withdrawal_fee_percent" numeric(7, 4) DEFAULT '0' NOT NULL,
	"withdrawal_fee_fixed" numeric(20, 4) DEFAULT '0' NOT NULL,
	"withdrawal_min" numeric(20, 4),
	"withdrawal_max" numeric(20, 4),
	CONSTRAINT "merchant_currencies_merchant_id_currency_code_pk" PRIMARY KEY("merchant_id","currency_code"),
	CONSTRAINT "merchant_currencies_cashier" CHECK (0 < all("merchant_currencies"."cashier_denominations")
        and ("merchant_currencies"."cashier_custom_min" is null) = ("merchant_currencies"."cashier_custom_max" is null)
        and "merchant_currencies"."cashier_custom_min" > 0 and "merchant_currencies"."cashier_custom_min" <= "merchant_currencies"."cashier_custom_max"),
	CONSTRAINT "merchant_currencies_fee" CHECK ("merchant_currencies"."deposit_fee_percent" >= 0 and "merchant_currencies"."deposit_fee_percent" < 100 and "merchant_currencies"."deposit_fee_fixed" >= 0),
	CONSTRAINT "merchant_currencies_withdrawal" CHECK ("merchant_currencies"."withdrawal_fee_percent" >= 0 and "merchant_currencies"."withdrawal_fee_percent" < 100 and "merchant_currencies"."withdrawal_fee_fixed" >= 0
        and "merchant_currencies"."withdrawal_min" > 0 and "merchant_currencies"."withdrawal_max" > 0)
);
--> statement-breakpoint
CREATE TABLE "merchant_order_numbers" (
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text collate "C" NOT NULL,
	"noun" text NOT NULL,
	"order_id" uuid NOT NULL,
	CONSTRAINT "merchant_order_numbers_merchant_id_merchant_order_no_pk" PRIMARY KEY("merchant_id","merchant_order_no")
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_code" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"can_deposit" boolean NOT NULL,
	"can_withdraw" boolean NOT NULL,
	"deposit_expire_minutes" integer NOT NULL,
	"callback_timeout_seconds" integer NOT NULL,
	"default_callback_url" text,
	"allow_insecure_callbacks" boolean NOT NULL,
	"callback_hosts" text[],
	"notify_deposit_expired" boolean NOT NULL,
	"notify_deposit_cancelled" boolean NOT NULL,
	"max_open_deposits" integer DEFAULT 10000 NOT NULL,
	"max_open_deposits_per_user" integer DEFAULT 1000 NOT NULL,
	"cashier_session_expire_minutes" integer DEFAULT 15 NOT NULL,
	"cashier_name" text,
	"cashier_logo_url" text,
	"cashier_colour" text,
	"cashier_return_url" text,
	"hold_days" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchants_merchant_code_unique" UNIQUE("merchant_code"),
	CONSTRAINT "merchants_deposit_expire" CHECK ("merchants"."deposit_expire_minutes" between 1 and 1440),
	CONSTRAINT "merchants_cashier_session_expire" CHECK ("merchants"."cashier_session_expire_minutes" between 1 and 1440),
	CONSTRAINT "merchants_cashier_colour" CHECK ("merchants"."cashier_colour" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "merchants_hold_days" CHECK ("merchants"."hold_days" between 0 and 90),
	CONSTRAINT "merchants_callback_timeout" CHECK ("merchants"."callback_timeout_seconds" between 1 and 60),
	CONSTRAINT "merchants_open_deposits" CHECK ("merchants"."max_open_deposits" > 0 and "merchants"."max_open_deposits_per_user" > 0)
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"label" text NOT NULL,
	"token_hash" text NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "api_tokens_scopes" CHECK ("api_tokens"."scopes" <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'TREASURER', 'CONFIGURE'])
);
--> statement-breakpoint
CREATE TABLE "login_throttles" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"blocked_until" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"token_hash" text NOT NULL,
	"sealed_token" text,
	"email" text NOT NULL,
	"operator_id" uuid,
	"roles" text[],
	"merchant_ids" uuid[],
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "operator_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "operator_links_purpose" CHECK ("operator_links"."purpose" in ('INVITE', 'RESET')),
	CONSTRAINT "operator_links_of" CHECK (("operator_links"."purpose" = 'RESET') = ("operator_links"."operator_id" is not null)
        and ("operator_links"."purpose" = 'INVITE') = ("operator_links"."roles" is not null))
);
--> statement-breakpoint
CREATE TABLE "operator_merchants" (
	"operator_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	CONSTRAINT "operator_merchants_operator_id_merchant_id_pk" PRIMARY KEY("operator_id","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "operator_recovery_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "operator_requests" (
	"operator_id" uuid NOT NULL,
	"key" text NOT NULL,
	"mutation" text NOT NULL,
	"arguments_hash" text NOT NULL,
	"reference" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_requests_operator_id_key_pk" PRIMARY KEY("operator_id","key")
);
--> statement-breakpoint
CREATE TABLE "operator_roles" (
	"operator_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "operator_roles_operator_id_role_pk" PRIMARY KEY("operator_id","role")
);
--> statement-breakpoint
CREATE TABLE "operator_sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"cookie" boolean NOT NULL,
	"address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_sessions_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "operator_totp" (
	"operator_id" uuid PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"password_hash" text NOT NULL,
	"email" text,
	"restricted" boolean DEFAULT false NOT NULL,
	"alert_mails" boolean DEFAULT true NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operators_login_unique" UNIQUE("login")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"name" text PRIMARY KEY NOT NULL,
	"permissions" text[] NOT NULL,
	"approve_limits" jsonb,
	"built_in" boolean NOT NULL,
	CONSTRAINT "roles_permissions" CHECK ("roles"."permissions" <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'CONFIGURE', 'ADMIN'])
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"noun" text NOT NULL,
	"type" text NOT NULL,
	"actor" text NOT NULL,
	"detail" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "order_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seq" bigint,
	CONSTRAINT "order_events_seq_unique" UNIQUE("seq")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"noun" text NOT NULL,
	"key" text NOT NULL,
	"arguments" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"refusals" integer NOT NULL,
	"parked_at" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"method" text NOT NULL,
	"channel_id" uuid,
	"account_id" uuid,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"channel_order_no" text,
	"cost" numeric(20, 4),
	"claimed_by" uuid,
	"claimed_at" timestamp (3) with time zone,
	"sending_at" timestamp (3) with time zone,
	"bank_reference" text,
	"proof" text,
	"last_error" text,
	"sent_at" timestamp (3) with time zone,
	"doubted_at" timestamp (3) with time zone,
	"failure_reported_at" timestamp (3) with time zone,
	"success_reported_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"rechecked" smallint DEFAULT 0 NOT NULL,
	"recheck_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "payout_attempts_reference_unique" UNIQUE("reference"),
	CONSTRAINT "payout_attempts_number" UNIQUE("withdrawal_id","number"),
	CONSTRAINT "payout_attempts_status" CHECK (case "payout_attempts"."method"
        when 'CHANNEL' then "payout_attempts"."channel_id" is not null and "payout_attempts"."account_id" is null
          and "payout_attempts"."status" in ('PREPARED', 'SENT', 'UNKNOWN', 'SUCCEEDED', 'REFUSED', 'FAILED')
        when 'MANUAL' then "payout_attempts"."channel_id" is null
          and "payout_attempts"."status" in ('OPEN', 'CLAIMED', 'SENDING', 'COMPLETED', 'CANCELLED')
        else false end),
	CONSTRAINT "payout_attempts_sent" CHECK ("payout_attempts"."method" = 'MANUAL' or ("payout_attempts"."status" = 'PREPARED') = ("payout_attempts"."sent_at" is null)
        or "payout_attempts"."status" = 'REFUSED'),
	CONSTRAINT "payout_attempts_recheck" CHECK ("payout_attempts"."recheck_at" is null or "payout_attempts"."status" = 'FAILED'),
	CONSTRAINT "payout_attempts_finished" CHECK (("payout_attempts"."status" in ('SUCCEEDED', 'REFUSED', 'FAILED', 'COMPLETED', 'CANCELLED')) = ("payout_attempts"."finished_at" is not null)),
	CONSTRAINT "payout_attempts_claimed" CHECK (("payout_attempts"."status" in ('CLAIMED', 'SENDING')) <= ("payout_attempts"."claimed_by" is not null and "payout_attempts"."account_id" is not null)
        and ("payout_attempts"."status" = 'SENDING') <= ("payout_attempts"."sending_at" is not null)
        and ("payout_attempts"."status" = 'COMPLETED') <= ("payout_attempts"."bank_reference" is not null and "payout_attempts"."account_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "transfer_proofs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" uuid NOT NULL,
	"type" text NOT NULL,
	"file" "bytea" NOT NULL,
	"sha256" char(64) NOT NULL,
	"attached_by" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfer_proofs_once" UNIQUE("attempt_id","sha256"),
	CONSTRAINT "transfer_proofs_type" CHECK ("transfer_proofs"."type" in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
	CONSTRAINT "transfer_proofs_size" CHECK (octet_length("transfer_proofs"."file") between 1 and 2097152)
);
--> statement-breakpoint
CREATE TABLE "deposit_recalls" (
	"deposit_id" uuid PRIMARY KEY NOT NULL,
	"change_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"from_held" numeric(20, 4) DEFAULT '0' NOT NULL,
	"from_available" numeric(20, 4) NOT NULL,
	"owed" numeric(20, 4) NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_recalls_amounts" CHECK ("deposit_recalls"."amount" > 0 and "deposit_recalls"."from_held" >= 0 and "deposit_recalls"."from_available" >= 0 and "deposit_recalls"."owed" >= 0
        and "deposit_recalls"."amount" = "deposit_recalls"."from_held" + "deposit_recalls"."from_available" + "deposit_recalls"."owed")
);
--> statement-breakpoint
CREATE TABLE "held_credits" (
	"deposit_id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL,
	"release_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	"recalled_at" timestamp (3) with time zone,
	CONSTRAINT "held_credits_amount" CHECK ("held_credits"."amount" > 0 and "held_credits"."release_at" > "held_credits"."held_at"),
	CONSTRAINT "held_credits_once" CHECK ("held_credits"."released_at" is null or "held_credits"."recalled_at" is null)
);
--> statement-breakpoint
CREATE TABLE "listed_beneficiaries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid,
	"bank_code" text collate "C" NOT NULL,
	"account_no" text collate "C" NOT NULL,
	"list" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "listed_beneficiaries_list" CHECK ("listed_beneficiaries"."list" in ('ALLOW', 'DENY'))
);
--> statement-breakpoint
CREATE TABLE "review_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid,
	"currency_code" char(3) NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_rules_version" UNIQUE NULLS NOT DISTINCT("merchant_id","currency_code","version")
);
--> statement-breakpoint
CREATE TABLE "settlement_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"bank_code" text NOT NULL,
	"bank_branch" text,
	"account_no" text collate "C" NOT NULL,
	"account_holder" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"usable_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	CONSTRAINT "settlement_accounts_usable" CHECK ("settlement_accounts"."usable_at" >= "settlement_accounts"."created_at"),
	CONSTRAINT "settlement_accounts_disabled" CHECK (("settlement_accounts"."disabled_at" is null) = ("settlement_accounts"."disabled_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"withdrawal_id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"reference" text collate "C" NOT NULL,
	"reason" text NOT NULL,
	"proposed_by" uuid NOT NULL,
	CONSTRAINT "settlements_reference" UNIQUE("merchant_id","reference")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_days" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"day" date NOT NULL,
	"beneficiary" text collate "C" NOT NULL,
	"orders" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	CONSTRAINT "withdrawal_days_merchant_id_currency_code_day_beneficiary_pk" PRIMARY KEY("merchant_id","currency_code","day","beneficiary")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"verdict" text NOT NULL,
	"remarks" text,
	"at" timestamp (3) with time zone NOT NULL,
	"applied_at" timestamp (3) with time zone,
	CONSTRAINT "withdrawal_decisions_once" UNIQUE("withdrawal_id","operator_id"),
	CONSTRAINT "withdrawal_decisions_verdict" CHECK ("withdrawal_decisions"."verdict" in ('APPROVE', 'REJECT')),
	CONSTRAINT "withdrawal_decisions_remarks" CHECK ("withdrawal_decisions"."verdict" = 'APPROVE' or btrim(coalesce("withdrawal_decisions"."remarks", '')) <> '')
);
--> statement-breakpoint
CREATE TABLE "withdrawal_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_no" text collate "C" NOT NULL,
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text collate "C" NOT NULL,
	"origin" text NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"actual_amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"beneficiary_name" text NOT NULL,
	"beneficiary_account" text collate "C" NOT NULL,
	"beneficiary_bank_code" text collate "C" NOT NULL,
	"beneficiary_bank_name" text NOT NULL,
	"beneficiary_bank_branch" text,
	"status" text NOT NULL,
	"people_needed" smallint NOT NULL,
	"review" jsonb NOT NULL,
	"decide_by" timestamp (3) with time zone NOT NULL,
	"escalated_at" timestamp (3) with time zone,
	"claimed_by" uuid,
	"claimed_at" timestamp (3) with time zone,
	"is_auto_approved" boolean NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"approved_by" text,
	"approval_remarks" text,
	"payout_method" text,
	"account_id" uuid,
	"channel_id" uuid,
	"channel_order_no" text,
	"estimated_channel_cost" numeric(20, 4),
	"actual_channel_cost" numeric(20, 4),
	"processed_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"bank_reference" text,
	"needs_manual_intervention" boolean NOT NULL,
	"manual_reason" text,
	"callback_url" text,
	"extra_data" text,
	"trace_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawal_orders_order_no_unique" UNIQUE("order_no"),
	CONSTRAINT "withdrawal_orders_settlement" CHECK ("withdrawal_orders"."origin" = 'MERCHANT' or ("withdrawal_orders"."people_needed" > 0 and "withdrawal_orders"."callback_url" is null)),
	CONSTRAINT "withdrawal_orders_origin" CHECK ("withdrawal_orders"."origin" in ('MERCHANT', 'SETTLEMENT')),
	CONSTRAINT "withdrawal_orders_status" CHECK ("withdrawal_orders"."status" in ('PENDING', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED')),
	CONSTRAINT "withdrawal_orders_amounts" CHECK ("withdrawal_orders"."amount" > 0 and "withdrawal_orders"."fee" >= 0 and "withdrawal_orders"."actual_amount" >= 0),
	CONSTRAINT "withdrawal_orders_people" CHECK ("withdrawal_orders"."people_needed" between 0 and 2),
	CONSTRAINT "withdrawal_orders_approved" CHECK (("withdrawal_orders"."approved_at" is not null) = ("withdrawal_orders"."status" in ('APPROVED', 'COMPLETED', 'FAILED', 'CANCELLED'))
        and ("withdrawal_orders"."approved_at" is null) = ("withdrawal_orders"."approved_by" is null)
        and "withdrawal_orders"."is_auto_approved" = ("withdrawal_orders"."people_needed" = 0)
        and ("withdrawal_orders"."approved_by" is null or "withdrawal_orders"."is_auto_approved" = ("withdrawal_orders"."approved_by" = 'system'))),
	CONSTRAINT "withdrawal_orders_completed" CHECK (("withdrawal_orders"."status" = 'COMPLETED') = ("withdrawal_orders"."completed_at" is not null)
        and ("withdrawal_orders"."status" = 'COMPLETED') = ("withdrawal_orders"."actual_amount" > 0)),
	CONSTRAINT "withdrawal_orders_ended" CHECK (("withdrawal_orders"."status" in ('REJECTED', 'FAILED', 'CANCELLED')) = ("withdrawal_orders"."ended_at" is not null)),
	CONSTRAINT "withdrawal_orders_claimed" CHECK (("withdrawal_orders"."claimed_by" is null) = ("withdrawal_orders"."claimed_at" is null)),
	CONSTRAINT "withdrawal_orders_method" CHECK ("withdrawal_orders"."payout_method" in ('CHANNEL', 'MANUAL')),
	CONSTRAINT "withdrawal_orders_dispatched" CHECK ("withdrawal_orders"."approved_at" is not null or ("withdrawal_orders"."payout_method" is null and "withdrawal_orders"."processed_at" is null
        and not "withdrawal_orders"."needs_manual_intervention")),
	CONSTRAINT "withdrawal_orders_intervention" CHECK (not "withdrawal_orders"."needs_manual_intervention" or "withdrawal_orders"."manual_reason" is not null)
);
--> statement-breakpoint
ALTER TABLE "agent_key_accounts" ADD CONSTRAINT "agent_key_accounts_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_key_accounts" ADD CONSTRAINT "agent_key_accounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_nonces" ADD CONSTRAINT "agent_nonces_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_acknowledged_by_operators_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_days" ADD CONSTRAINT "account_days_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_debits" ADD CONSTRAINT "bank_debits_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_debits" ADD CONSTRAINT "bank_debits_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_notification_id_notification_logs_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notification_logs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_hosts_seen" ADD CONSTRAINT "callback_hosts_seen_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_logs" ADD CONSTRAINT "notification_logs_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_logs" ADD CONSTRAINT "notification_logs_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_deposit_order_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_order_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_closed_by_operators_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_decided_by_operators_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_balances" ADD CONSTRAINT "channel_balances_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_banks" ADD CONSTRAINT "channel_banks_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD CONSTRAINT "reserved_amounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD CONSTRAINT "reserved_amounts_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_balances" ADD CONSTRAINT "merchant_balances_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_link_id_operator_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."operator_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_order_numbers" ADD CONSTRAINT "merchant_order_numbers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_links" ADD CONSTRAINT "operator_links_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_links" ADD CONSTRAINT "operator_links_created_by_operators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_merchants" ADD CONSTRAINT "operator_merchants_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_merchants" ADD CONSTRAINT "operator_merchants_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_recovery_codes" ADD CONSTRAINT "operator_recovery_codes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_requests" ADD CONSTRAINT "operator_requests_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_roles" ADD CONSTRAINT "operator_roles_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_roles" ADD CONSTRAINT "operator_roles_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "public"."roles"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_totp" ADD CONSTRAINT "operator_totp_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_claimed_by_operators_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_attached_by_operators_id_fk" FOREIGN KEY ("attached_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_credits" ADD CONSTRAINT "held_credits_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_credits" ADD CONSTRAINT "held_credits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listed_beneficiaries" ADD CONSTRAINT "listed_beneficiaries_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_rules" ADD CONSTRAINT "review_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_accounts" ADD CONSTRAINT "settlement_accounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_account_id_settlement_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."settlement_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_days" ADD CONSTRAINT "withdrawal_days_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_claimed_by_operators_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_keys_newest" ON "agent_keys" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "agent_nonces_age" ON "agent_nonces" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "alerts_raised" ON "alerts" USING btree ("raised_at","id");--> statement-breakpoint
CREATE INDEX "alerts_of_merchant" ON "alerts" USING btree ("merchant_id","raised_at","id");--> statement-breakpoint
CREATE INDEX "alerts_waiting" ON "alerts" USING btree ("raised_at","id") WHERE "alerts"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_unnumbered" ON "alerts" USING btree ("position") WHERE "alerts"."seq" is null;--> statement-breakpoint
CREATE INDEX "alerts_unmailed" ON "alerts" USING btree ("raised_at") WHERE "alerts"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_mailed" ON "alerts" USING btree ("mailed_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_operator" ON "audit_log" USING btree ("operator_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "bank_accounts_by_name" ON "bank_accounts" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "bank_accounts_routable" ON "bank_accounts" USING btree ("currency_code") WHERE "bank_accounts"."status" = 'ACTIVE';--> statement-breakpoint
CREATE UNIQUE INDEX "bank_debits_attempt" ON "bank_debits" USING btree ("attempt_id") WHERE "bank_debits"."attempt_id" is not null;--> statement-breakpoint
CREATE INDEX "bank_debits_open" ON "bank_debits" USING btree ("received_at","id") WHERE "bank_debits"."explained_at" is null;--> statement-breakpoint
CREATE INDEX "bank_debits_open_of_account" ON "bank_debits" USING btree ("account_id","amount") WHERE "bank_debits"."explained_at" is null;--> statement-breakpoint
CREATE INDEX "bank_debits_newest" ON "bank_debits" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "bank_debits_of_account" ON "bank_debits" USING btree ("account_id","received_at","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_unmatched" ON "bank_transfers" USING btree ("received_at","id") WHERE "bank_transfers"."unmatched_reason" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_newest" ON "bank_transfers" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_by_bank_time" ON "bank_transfers" USING btree ("bank_time","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_of_account" ON "bank_transfers" USING btree ("account_id","bank_time","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_alike" ON "bank_transfers" USING btree ("account_id","amount","bank_time");--> statement-breakpoint
CREATE INDEX "bank_transfers_source" ON "bank_transfers" USING btree ("source","received_at");--> statement-breakpoint
CREATE INDEX "transfer_allocations_transfer" ON "transfer_allocations" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "transfer_allocations_of_deposit" ON "transfer_allocations" USING btree ("deposit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_once" ON "transfer_allocations" USING btree ("transfer_id") WHERE "transfer_allocations"."released_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_deposit" ON "transfer_allocations" USING btree ("deposit_id") WHERE "transfer_allocations"."released_at" is null;--> statement-breakpoint
CREATE INDEX "notification_logs_of_merchant" ON "notification_logs" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "notification_logs_unsettled" ON "notification_logs" USING btree ("status","id") WHERE "notification_logs"."status" <> 'SUCCESS';--> statement-breakpoint
CREATE INDEX "notification_logs_failed" ON "notification_logs" USING btree ("merchant_id") WHERE "notification_logs"."status" = 'FAILED';--> statement-breakpoint
CREATE INDEX "notification_logs_waiting" ON "notification_logs" USING btree ("next_attempt_at") WHERE "notification_logs"."status" = 'WAITING_RETRY';--> statement-breakpoint
CREATE INDEX "notification_logs_sending" ON "notification_logs" USING btree ("lease_until") WHERE "notification_logs"."status" = 'SENDING';--> statement-breakpoint
CREATE UNIQUE INDEX "cashier_sessions_of_user" ON "cashier_sessions" USING btree ("merchant_id","user_id") WHERE "cashier_sessions"."status" = 'PENDING' and "cashier_sessions"."user_id" <> '';--> statement-breakpoint
CREATE INDEX "cashier_sessions_newest" ON "cashier_sessions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "cashier_sessions_of_merchant" ON "cashier_sessions" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cashier_sessions_by_number" ON "cashier_sessions" USING btree ("merchant_order_no");--> statement-breakpoint
CREATE INDEX "cashier_sessions_by_user" ON "cashier_sessions" USING btree ("user_id","created_at","id") WHERE "cashier_sessions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "cashier_sessions_pending" ON "cashier_sessions" USING btree ("expire_at","id") WHERE "cashier_sessions"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "payment_claims_open" ON "payment_claims" USING btree ("at","id") WHERE "payment_claims"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "payment_claims_reference" ON "payment_claims" USING btree ("reference_key");--> statement-breakpoint
CREATE INDEX "change_requests_newest" ON "change_requests" USING btree ("proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_open" ON "change_requests" USING btree ("proposed_at","id") WHERE "change_requests"."status" = 'PROPOSED';--> statement-breakpoint
CREATE INDEX "change_requests_subject" ON "change_requests" USING btree ("subject_kind","subject_id","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_merchant" ON "change_requests" USING btree ("merchant_id","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_proposer" ON "change_requests" USING btree ("proposed_by","proposed_at","id");--> statement-breakpoint
CREATE INDEX "channel_messages_reference" ON "channel_messages" USING btree ("reference","id");--> statement-breakpoint
CREATE INDEX "channel_messages_received" ON "channel_messages" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "channels_by_name" ON "channels" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_newest" ON "deposit_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_merchant" ON "deposit_orders" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_account" ON "deposit_orders" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_user" ON "deposit_orders" USING btree ("user_id","created_at","id") WHERE "deposit_orders"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_of_payer" ON "deposit_orders" USING btree ("payer_account_last4","created_at","id") WHERE "deposit_orders"."payer_account_last4" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_by_amount" ON "deposit_orders" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_by_completion" ON "deposit_orders" USING btree ("completed_at","id") WHERE "deposit_orders"."completed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_orders_of_session" ON "deposit_orders" USING btree ("cashier_session_id") WHERE "deposit_orders"."cashier_session_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_unsettled" ON "deposit_orders" USING btree ("status","created_at","id") WHERE "deposit_orders"."status" not in ('COMPLETED', 'EXPIRED');--> statement-breakpoint
CREATE INDEX "deposit_orders_pending_of_merchant" ON "deposit_orders" USING btree ("merchant_id","user_id") WHERE "deposit_orders"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "deposit_orders_pending_of_account" ON "deposit_orders" USING btree ("account_id") WHERE "deposit_orders"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "deposit_orders_open" ON "deposit_orders" USING btree ("expire_at") WHERE "deposit_orders"."status" in ('PENDING', 'MATCHED');--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_chain" ON "ledger_entries" USING btree ("account","currency_code","version");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","transfer_id","line");--> statement-breakpoint
CREATE INDEX "ledger_transfers_order" ON "ledger_transfers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "ledger_transfers_rare" ON "ledger_transfers" USING btree ("type","id") WHERE "ledger_transfers"."type" not in ('BANK_CREDIT', 'DEPOSIT_CREDIT');--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mails_queued" ON "mails" USING btree ("created_at") WHERE "mails"."status" = 'QUEUED';--> statement-breakpoint
CREATE INDEX "mails_of_alerts" ON "mails" USING btree ("created_at") WHERE "mails"."event" = 'alerts';--> statement-breakpoint
CREATE INDEX "api_keys_merchant" ON "api_keys" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "merchants_by_name" ON "merchants" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "merchants_name_begins" ON "merchants" USING btree (lower("name") collate "C");--> statement-breakpoint
CREATE INDEX "api_tokens_operator" ON "api_tokens" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "login_throttles_last" ON "login_throttles" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "operator_links_newest" ON "operator_links" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "operator_links_operator" ON "operator_links" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_recovery_codes_operator" ON "operator_recovery_codes" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_roles_role" ON "operator_roles" USING btree ("role");--> statement-breakpoint
CREATE INDEX "operator_sessions_operator" ON "operator_sessions" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","position");--> statement-breakpoint
CREATE INDEX "order_events_unnumbered" ON "order_events" USING btree ("position") WHERE "order_events"."seq" is null;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at") WHERE "outbox"."parked_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_parked" ON "outbox" USING btree ("id") WHERE "outbox"."parked_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_one" ON "payout_attempts" USING btree ("withdrawal_id") WHERE "payout_attempts"."status" not in ('REFUSED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_bank_reference" ON "payout_attempts" USING btree ("account_id",bank_reference_key("bank_reference")) WHERE "payout_attempts"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_recheck" ON "payout_attempts" USING btree ("recheck_at","id") WHERE "payout_attempts"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_by_hand" ON "payout_attempts" USING btree ("account_id","finished_at") WHERE "payout_attempts"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_open" ON "payout_attempts" USING btree ("created_at","id") WHERE "payout_attempts"."status" in ('PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING');--> statement-breakpoint
CREATE INDEX "held_credits_due" ON "held_credits" USING btree ("release_at","deposit_id") WHERE "held_credits"."released_at" is null and "held_credits"."recalled_at" is null;--> statement-breakpoint
CREATE INDEX "held_credits_of_balance" ON "held_credits" USING btree ("merchant_id","currency_code","release_at","deposit_id") WHERE "held_credits"."released_at" is null and "held_credits"."recalled_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "listed_beneficiaries_once" ON "listed_beneficiaries" USING btree ("account_no","bank_code",coalesce("merchant_id", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "listed_beneficiaries"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "listed_beneficiaries_denied" ON "listed_beneficiaries" USING btree (account_number_key("account_no"),"bank_code") WHERE "listed_beneficiaries"."list" = 'DENY' and "listed_beneficiaries"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "listed_beneficiaries_newest" ON "listed_beneficiaries" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_accounts_number" ON "settlement_accounts" USING btree ("merchant_id","currency_code","bank_code","account_no") WHERE "settlement_accounts"."disabled_at" is null;--> statement-breakpoint
CREATE INDEX "settlement_accounts_newest" ON "settlement_accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "settlement_accounts_of_merchant" ON "settlement_accounts" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "settlements_account" ON "settlements" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_newest" ON "withdrawal_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_merchant" ON "withdrawal_orders" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_by_amount" ON "withdrawal_orders" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_beneficiary" ON "withdrawal_orders" USING btree ("beneficiary_account","beneficiary_bank_code","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_bank_reference" ON "withdrawal_orders" USING btree (bank_reference_key("bank_reference"),"created_at","id") WHERE "withdrawal_orders"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "withdrawal_orders_open" ON "withdrawal_orders" USING btree ("status","created_at","id") WHERE "withdrawal_orders"."status" in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX "withdrawal_orders_interventions" ON "withdrawal_orders" USING btree ("created_at","id") WHERE "withdrawal_orders"."needs_manual_intervention";--> statement-breakpoint
CREATE INDEX "withdrawal_orders_settlements" ON "withdrawal_orders" USING btree ("created_at","id") WHERE "withdrawal_orders"."origin" = 'SETTLEMENT';
--> statement-breakpoint
-- A credit as a bank told it, with what is looked for to judge it.
create type transfer_report as (
  id uuid, account_id uuid, amount numeric, currency_code text, bank_reference text, dedupe_key text,
  bank_time timestamptz, payer_name text, payer_account text, memo text, balance_after numeric, source text,
  received_at timestamptz,
  -- What in the memo could be a remark.
  remarks text[],
  -- How close in bank time another notice may be the same transfer's, seconds.
  near_seconds integer,
  -- The key that reports it, if an agent does; where it has a ceiling for the day, since when what it had credited
  -- counts.
  agent_key_id uuid, credited_since timestamptz
);
--> statement-breakpoint
create sequence alert_numbers;
--> statement-breakpoint
-- A session gives its number up to its order within one transaction.
alter table cashier_sessions alter constraint cashier_sessions_number deferrable initially deferred;
--> statement-breakpoint
-- The built-in roles (domain/permissions.ts).
insert into roles (name, permissions, approve_limits, built_in) values
  ('view', '{VIEW}', null, true),
  ('support', '{VIEW,SUPPORT}', null, true),
  ('reconcile', '{VIEW,RECONCILE}', null, true),
  ('approve', '{VIEW,APPROVE}', null, true),
  ('treasurer', '{VIEW,TREASURER}', null, true),
  ('configure', '{VIEW,CONFIGURE}', null, true),
  ('admin', '{VIEW,ADMIN}', null, true);
--> statement-breakpoint
-- The audit log's chain begins here.
insert into audit_head (id, seq, hash) values (1, 0, '');

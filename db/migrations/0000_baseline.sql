-- Functions that indexes are built with. They are schema: a change needs a migration that builds its indexes again. Each
-- body is read when the function is made, so that it means the same whatever the search path.
-- A bank's reference in the form that is compared: banks print one with and without spaces and hyphens, in either case.
-- Letters and digits count; a reference without any is as it is written. The same as normaliseReference of
-- domain/bank-reference.ts, which a test holds it to.
create function bank_reference_key(p_reference text) returns text
language sql immutable strict parallel safe
return upper(coalesce(
  nullif(regexp_replace(normalize(p_reference, nfkc) collate "pg_unicode_fast", '[^[:alnum:]]', '', 'g'), ''),
  normalize(p_reference, nfkc)) collate "pg_unicode_fast");
--> statement-breakpoint
CREATE SEQUENCE "public"."bank_transfer_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "account_costs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"credit_percent" numeric(7, 4) NOT NULL,
	"credit_fixed" numeric(20, 4) NOT NULL,
	"payout_percent" numeric(7, 4) NOT NULL,
	"payout_fixed" numeric(20, 4) NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_costs_version" UNIQUE("account_id","version"),
	CONSTRAINT "account_costs_rates" CHECK ("account_costs"."version" > 0 and "account_costs"."credit_percent" >= 0 and "account_costs"."credit_percent" < 100 and "account_costs"."credit_fixed" >= 0
        and "account_costs"."payout_percent" >= 0 and "account_costs"."payout_percent" < 100 and "account_costs"."payout_fixed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "agent_enrolments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agent_key_id" uuid NOT NULL,
	"mail" text NOT NULL,
	"change_id" uuid NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone,
	"enrolled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_enrolments_agent_key_id_unique" UNIQUE("agent_key_id"),
	CONSTRAINT "agent_enrolments_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "agent_enrolments_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "agent_enrolments_sent" CHECK (("agent_enrolments"."token_hash" is null) = ("agent_enrolments"."expires_at" is null)),
	CONSTRAINT "agent_enrolments_used" CHECK ("agent_enrolments"."enrolled_at" is null or "agent_enrolments"."token_hash" is not null)
);
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
	"sealed_secret" text,
	"public_key" text,
	"max_transfer_amount" numeric(20, 4),
	"max_daily_amount" numeric(20, 4),
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "agent_keys_key_id_unique" UNIQUE("key_id"),
	CONSTRAINT "agent_keys_ceilings" CHECK ("agent_keys"."max_transfer_amount" > 0 and "agent_keys"."max_daily_amount" > 0),
	CONSTRAINT "agent_keys_signs" CHECK (num_nonnulls("agent_keys"."sealed_secret", "agent_keys"."public_key") <= 1)
);
--> statement-breakpoint
CREATE TABLE "agent_nonces" (
	"agent_key_id" uuid NOT NULL,
	"nonce" text NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_nonces_agent_key_id_nonce_pk" PRIMARY KEY("agent_key_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "agent_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agent_key_id" uuid NOT NULL,
	"device_id" text NOT NULL,
	"label" text NOT NULL,
	"version" text,
	"battery" integer,
	"waiting" integer,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"paired_by" text,
	"paired_at" timestamp (3) with time zone,
	"unpaired_at" timestamp (3) with time zone,
	CONSTRAINT "agent_devices_once" UNIQUE("agent_key_id","device_id"),
	CONSTRAINT "agent_devices_battery" CHECK ("agent_devices"."battery" between 0 and 100),
	CONSTRAINT "agent_devices_paired" CHECK (("agent_devices"."paired_by" is null) = ("agent_devices"."paired_at" is null))
);
--> statement-breakpoint
CREATE TABLE "agent_texts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"sender" text NOT NULL,
	"text" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"dedupe_key" text collate "C" NOT NULL,
	"state" text NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"pattern_id" uuid,
	"transfer_id" uuid,
	"debit_id" uuid,
	"problem" text,
	CONSTRAINT "agent_texts_once" UNIQUE("device_id","dedupe_key"),
	CONSTRAINT "agent_texts_state" CHECK ("agent_texts"."state" in ('UNREAD', 'RECORDED', 'NO_MONEY')),
	CONSTRAINT "agent_texts_recorded" CHECK (case when "agent_texts"."state" = 'RECORDED'
        then "agent_texts"."pattern_id" is not null and num_nonnulls("agent_texts"."transfer_id", "agent_texts"."debit_id") = 1
        else num_nonnulls("agent_texts"."transfer_id", "agent_texts"."debit_id") = 0 end)
);
--> statement-breakpoint
CREATE TABLE "text_patterns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"bank_code" text NOT NULL,
	"sender" text,
	"direction" text NOT NULL,
	"pattern" text NOT NULL,
	"time_format" text,
	"decimal_sign" text NOT NULL,
	"years_ahead" integer NOT NULL,
	"active" boolean NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "text_patterns_version" UNIQUE("name","version"),
	CONSTRAINT "text_patterns_direction" CHECK ("text_patterns"."direction" in ('CREDIT', 'DEBIT')),
	CONSTRAINT "text_patterns_decimal" CHECK ("text_patterns"."decimal_sign" in ('.', ','))
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
	"received" numeric(20, 4) DEFAULT '0' NOT NULL,
	"credits" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_days_account_id_day_pk" PRIMARY KEY("account_id","day"),
	CONSTRAINT "account_days_never_negative" CHECK ("account_days"."amount" >= 0 and "account_days"."deposits" >= 0),
	CONSTRAINT "account_days_received" CHECK ("account_days"."received" >= 0 and "account_days"."credits" >= 0)
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
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"min_amount" numeric(20, 4),
	"max_amount" numeric(20, 4),
	"max_daily_amount" numeric(20, 4),
	"max_monthly_amount" numeric(20, 4),
	"max_daily_count" integer,
	"max_monthly_count" integer,
	"max_balance" numeric(20, 4),
	"max_open_deposits" integer DEFAULT 1000 NOT NULL,
	"float_step" numeric(20, 4),
	"float_up" numeric(20, 4),
	"float_down" numeric(20, 4),
	"quarantine_minutes" integer DEFAULT 60 NOT NULL,
	"balance_required" boolean DEFAULT false NOT NULL,
	"silent_minutes" integer,
	"silent_since" timestamp (3) with time zone,
	"bank_balance" numeric(20, 4),
	"bank_balance_at" timestamp (3) with time zone,
	"balance_chain" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_accounts_number" UNIQUE("bank_code","account_no"),
	CONSTRAINT "bank_accounts_time_zone" CHECK (timezone("bank_accounts"."time_zone", timestamp '2000-01-01') is not null),
	CONSTRAINT "bank_accounts_mode" CHECK ("bank_accounts"."mode" in ('REMARK', 'FLOAT')),
	CONSTRAINT "bank_accounts_limits" CHECK ("bank_accounts"."min_amount" > 0 and "bank_accounts"."max_amount" > 0 and "bank_accounts"."max_daily_amount" > 0
        and "bank_accounts"."max_open_deposits" > 0 and "bank_accounts"."quarantine_minutes" between 0 and 10080),
	CONSTRAINT "bank_accounts_received" CHECK ("bank_accounts"."max_monthly_amount" > 0 and "bank_accounts"."max_daily_count" > 0 and "bank_accounts"."max_monthly_count" > 0),
	CONSTRAINT "bank_accounts_held" CHECK ("bank_accounts"."max_balance" > 0),
	CONSTRAINT "bank_accounts_silent" CHECK ("bank_accounts"."silent_minutes" between 0 and 1440),
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
CREATE TABLE "bank_transfer_changes" (
	"transfer_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "bank_transfer_changes_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seq" bigint,
	CONSTRAINT "bank_transfer_changes_seq_unique" UNIQUE("seq")
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
	"payer_account_index" text collate "C",
	"memo" text NOT NULL,
	"named_remarks" text[],
	"balance_after" numeric(20, 4),
	"source" text NOT NULL,
	"unmatched_reason" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"confirmed_by" text,
	"confirmed_at" timestamp (3) with time zone,
	"counted_day" date,
	"payer_finding" text,
	CONSTRAINT "bank_transfers_once" UNIQUE("account_id","direction","dedupe_key"),
	CONSTRAINT "bank_transfers_direction" CHECK ("bank_transfers"."direction" in ('CREDIT')),
	CONSTRAINT "bank_transfers_amount" CHECK ("bank_transfers"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "credit_work" (
	"transfer_id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid,
	"note" text,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfer_allocations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL,
	"deposit_id" uuid NOT NULL,
	"amount" numeric(20, 4),
	"fee" numeric(20, 4) NOT NULL,
	"matched_by" text NOT NULL,
	"reason" text,
	"at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "transfer_allocations_amount" CHECK ("transfer_allocations"."amount" > 0)
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
CREATE TABLE "billing_statement_lines" (
	"statement_id" uuid NOT NULL,
	"type" text NOT NULL,
	"postings" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"available" numeric(20, 4) NOT NULL,
	"frozen" numeric(20, 4) NOT NULL,
	"receivable" numeric(20, 4) NOT NULL,
	CONSTRAINT "billing_statement_lines_statement_id_type_pk" PRIMARY KEY("statement_id","type"),
	CONSTRAINT "billing_statement_lines_sum" CHECK ("billing_statement_lines"."postings" > 0 and "billing_statement_lines"."amount" - "billing_statement_lines"."fee" = "billing_statement_lines"."available" + "billing_statement_lines"."frozen" - "billing_statement_lines"."receivable")
);
--> statement-breakpoint
CREATE TABLE "billing_statements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"number" integer NOT NULL,
	"previous_number" integer GENERATED ALWAYS AS (nullif(number - 1, 0)) STORED,
	"month" date NOT NULL,
	"time_zone" text NOT NULL,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"from_seq" bigint NOT NULL,
	"through_seq" bigint NOT NULL,
	"opening_available" numeric(20, 4) NOT NULL,
	"opening_frozen" numeric(20, 4) NOT NULL,
	"opening_receivable" numeric(20, 4) NOT NULL,
	"closing_available" numeric(20, 4) NOT NULL,
	"closing_frozen" numeric(20, 4) NOT NULL,
	"closing_receivable" numeric(20, 4) NOT NULL,
	"lines" integer NOT NULL,
	"postings" integer NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_statements_number" UNIQUE("merchant_id","currency_code","number"),
	CONSTRAINT "billing_statements_month" UNIQUE("merchant_id","currency_code","month"),
	CONSTRAINT "billing_statements_end" UNIQUE("merchant_id","currency_code","number","ends_at","through_seq","closing_available","closing_frozen","closing_receivable"),
	CONSTRAINT "billing_statements_first" CHECK ("billing_statements"."number" > 1 or ("billing_statements"."number" = 1 and "billing_statements"."from_seq" = 0 and "billing_statements"."opening_available" = 0
        and "billing_statements"."opening_frozen" = 0 and "billing_statements"."opening_receivable" = 0)),
	CONSTRAINT "billing_statements_time" CHECK ("billing_statements"."begins_at" < "billing_statements"."ends_at" and "billing_statements"."issued_at" > "billing_statements"."ends_at" and "billing_statements"."through_seq" >= "billing_statements"."from_seq"
        and extract(day from "billing_statements"."month") = 1),
	CONSTRAINT "billing_statements_counts" CHECK ("billing_statements"."lines" >= 0 and "billing_statements"."postings" >= "billing_statements"."lines")
);
--> statement-breakpoint
CREATE TABLE "book_findings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"problem" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "book_findings_once" UNIQUE("subject","problem")
);
--> statement-breakpoint
CREATE TABLE "book_proofs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"postings" integer NOT NULL,
	"rows" integer NOT NULL,
	"found" integer NOT NULL,
	"through_event" bigint NOT NULL,
	CONSTRAINT "book_proofs_kind" CHECK ("book_proofs"."kind" in ('WHOLE', 'NEW'))
);
--> statement-breakpoint
CREATE TABLE "ledger_book_lines" (
	"book_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"account" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"first_version" bigint,
	"last_version" bigint,
	"balance_before" numeric(20, 4),
	"balance_after" numeric(20, 4),
	"value_day" date,
	CONSTRAINT "ledger_book_lines_book_id_line_pk" PRIMARY KEY("book_id","line"),
	CONSTRAINT "ledger_book_lines_kind" CHECK (case when "ledger_book_lines"."account" like 'merchant:%'
        then coalesce("ledger_book_lines"."first_version" > 0 and "ledger_book_lines"."last_version" >= "ledger_book_lines"."first_version" and "ledger_book_lines"."value_day" is null
          and "ledger_book_lines"."balance_after" = "ledger_book_lines"."balance_before" + "ledger_book_lines"."amount", false)
        else num_nonnulls("ledger_book_lines"."first_version", "ledger_book_lines"."last_version", "ledger_book_lines"."balance_before", "ledger_book_lines"."balance_after") = 0
          and ("ledger_book_lines"."value_day" is not null) = ("ledger_book_lines"."account" like 'bank:%' or "ledger_book_lines"."account" like 'channel:%') end)
);
--> statement-breakpoint
CREATE TABLE "ledger_books" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"currency_code" char(3) NOT NULL,
	"orders" integer NOT NULL,
	"links" integer NOT NULL,
	"head_seq" bigint NOT NULL,
	"head_hash" "bytea" NOT NULL,
	"purged_before" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_books_number_unique" UNIQUE("number"),
	CONSTRAINT "ledger_books_counts" CHECK ("ledger_books"."number" > 0 and "ledger_books"."orders" > 0 and "ledger_books"."links" >= 0 and "ledger_books"."head_seq" >= 0
        and octet_length("ledger_books"."head_hash") = 32 and "ledger_books"."purged_before" <= "ledger_books"."opened_at")
);
--> statement-breakpoint
CREATE TABLE "ledger_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"transfer_id" uuid,
	"hash" "bytea" NOT NULL,
	"digest" "bytea",
	"sealed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_seals_transfer_id_unique" UNIQUE("transfer_id"),
	CONSTRAINT "ledger_seals_hash" CHECK ("ledger_seals"."seq" > 0 and octet_length("ledger_seals"."hash") = 32),
	CONSTRAINT "ledger_seals_digest" CHECK (("ledger_seals"."transfer_id" is null) = ("ledger_seals"."digest" is not null) and octet_length("ledger_seals"."digest") = 32)
);
--> statement-breakpoint
CREATE TABLE "ledger_sum_ends" (
	"id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "ledger_sum_ends_one" CHECK ("ledger_sum_ends"."id" = 1 and "ledger_sum_ends"."seq" > 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_sums" (
	"account" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"credits" numeric(38, 4) NOT NULL,
	"debits" numeric(38, 4) NOT NULL,
	CONSTRAINT "ledger_sums_account_currency_code_pk" PRIMARY KEY("account","currency_code"),
	CONSTRAINT "ledger_sums_signs" CHECK ("ledger_sums"."credits" >= 0 and "ledger_sums"."debits" <= 0)
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
	"waits_for_key" boolean DEFAULT false NOT NULL,
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
	"payer_bank_cards_index" text collate "C",
	"card_count" smallint,
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
	CONSTRAINT "cashier_sessions_cards" CHECK (case jsonb_typeof("cashier_sessions"."payer_bank_cards")
          when 'array' then "cashier_sessions"."payer_bank_cards" = '[]'
            and num_nonnulls("cashier_sessions"."payer_bank_cards_index", "cashier_sessions"."card_count", "cashier_sessions"."chosen_card") = 0
          when 'string' then num_nulls("cashier_sessions"."payer_bank_cards_index", "cashier_sessions"."card_count") = 0 and "cashier_sessions"."card_count" between 1 and 10
            and ("cashier_sessions"."chosen_card" is null or "cashier_sessions"."chosen_card" between 0 and "cashier_sessions"."card_count" - 1)
          else false end)
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
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "payment_claims_deposit_id_unique" UNIQUE("deposit_id"),
	CONSTRAINT "payment_claims_reference" CHECK (char_length("payment_claims"."reference") between 1 and 128),
	CONSTRAINT "payment_claims_receipt" CHECK (("payment_claims"."receipt" is null) = ("payment_claims"."receipt_type" is null)
        and "payment_claims"."receipt_type" in ('image/png', 'image/jpeg', 'image/webp')
        and octet_length("payment_claims"."receipt") <= 2097152 + 64),
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
CREATE TABLE "channel_mapping_trials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"passed" boolean NOT NULL,
	"checks" json NOT NULL,
	"tried_by" uuid NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_mappings" (
	"channel_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"mapping" json NOT NULL,
	"note" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_mappings_channel_id_version_pk" PRIMARY KEY("channel_id","version"),
	CONSTRAINT "channel_mappings_version" CHECK ("channel_mappings"."version" > 0)
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
CREATE TABLE "channel_days" (
	"channel_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"day" date NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposits" integer NOT NULL,
	"received" numeric(20, 4) DEFAULT '0' NOT NULL,
	"credits" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "channel_days_channel_id_currency_code_day_pk" PRIMARY KEY("channel_id","currency_code","day"),
	CONSTRAINT "channel_days_never_negative" CHECK ("channel_days"."amount" >= 0 and "channel_days"."deposits" >= 0),
	CONSTRAINT "channel_days_received" CHECK ("channel_days"."received" >= 0 and "channel_days"."credits" >= 0)
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
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"mock_outcome" text,
	"base_url" text,
	"key_id" text,
	"sealed_secret" text,
	"timeout_seconds" integer NOT NULL,
	"cost_percent" numeric(7, 4) NOT NULL,
	"cost_fixed" numeric(20, 4) NOT NULL,
	"failure_final_delay_seconds" integer NOT NULL,
	"answer_within_seconds" integer NOT NULL,
	"confirm_refusals" boolean DEFAULT false NOT NULL,
	"deposit_currencies" text[] DEFAULT '{}' NOT NULL,
	"deposit_min" numeric(20, 4),
	"deposit_max" numeric(20, 4),
	"deposit_max_daily_amount" numeric(20, 4),
	"deposit_max_monthly_amount" numeric(20, 4),
	"deposit_max_daily_count" integer,
	"deposit_max_monthly_count" integer,
	"deposits_first" boolean DEFAULT false NOT NULL,
	"deposit_cost_percent" numeric(7, 4) DEFAULT '0' NOT NULL,
	"deposit_cost_fixed" numeric(20, 4) DEFAULT '0' NOT NULL,
	"wallet_kind" text,
	"accepts_contact" boolean DEFAULT false NOT NULL,
	"contact_mobile" text,
	"contact_email" text,
	"bound_account_id" uuid,
	"mock_opening" text,
	"mock_amounts" jsonb,
	"mapped" boolean DEFAULT false NOT NULL,
	"mapping_version" integer,
	"health" text NOT NULL,
	"health_reason" text,
	"health_at" timestamp (3) with time zone,
	"breaker_percent" integer,
	"breaker_failures" integer,
	"breaker_orders" integer DEFAULT 10 NOT NULL,
	"breaker_minutes" integer DEFAULT 10 NOT NULL,
	"breaker_pause" integer DEFAULT 60 NOT NULL,
	"breaker_state" text DEFAULT 'HEALTHY' NOT NULL,
	"breaker_since" timestamp (3) with time zone,
	"breaker_reason" text,
	"breaker_paused_for" integer,
	"breaker_trial_at" timestamp (3) with time zone,
	"trial_order_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channels_channel_code_unique" UNIQUE("channel_code"),
	CONSTRAINT "channels_code" CHECK ("channels"."channel_code" ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
	CONSTRAINT "channels_time_zone" CHECK (timezone("channels"."time_zone", timestamp '2000-01-01') is not null),
	CONSTRAINT "channels_kind" CHECK ("channels"."kind" in ('MOCK', 'HTTP')),
	CONSTRAINT "channels_currencies" CHECK (cardinality("channels"."currencies") + cardinality("channels"."deposit_currencies") > 0),
	CONSTRAINT "channels_deposits" CHECK ("channels"."deposit_min" > 0 and "channels"."deposit_max" > 0
        and "channels"."deposit_cost_percent" >= 0 and "channels"."deposit_cost_percent" < 100 and "channels"."deposit_cost_fixed" >= 0
        and ("channels"."wallet_kind" is null or "channels"."bound_account_id" is null)),
	CONSTRAINT "channels_received" CHECK ("channels"."deposit_max_daily_amount" > 0 and "channels"."deposit_max_monthly_amount" > 0
        and "channels"."deposit_max_daily_count" > 0 and "channels"."deposit_max_monthly_count" > 0),
	CONSTRAINT "channels_wallet_kind" CHECK ("channels"."wallet_kind" in ('BKASH', 'NAGAD')),
	CONSTRAINT "channels_mock_deposits" CHECK (("channels"."kind" = 'MOCK' or num_nonnulls("channels"."mock_opening", "channels"."mock_amounts") = 0)
        and "channels"."mock_opening" in ('OPEN', 'REFUSE', 'SILENT')),
	CONSTRAINT "channels_mapped" CHECK ((not "channels"."mapped" or "channels"."kind" = 'HTTP') and ("channels"."mapped" or "channels"."mapping_version" is null)
        and (not "channels"."mapped" or not "channels"."enabled" or "channels"."mapping_version" is not null)),
	CONSTRAINT "channels_health" CHECK ("channels"."health" in ('UNKNOWN', 'UP', 'DOWN')),
	CONSTRAINT "channels_breaker" CHECK ("channels"."breaker_percent" between 1 and 100 and "channels"."breaker_failures" between 1 and 1000
        and "channels"."breaker_orders" between 1 and 10000 and "channels"."breaker_minutes" between 1 and 1440
        and "channels"."breaker_pause" between 10 and 3600),
	CONSTRAINT "channels_breaker_state" CHECK (case "channels"."breaker_state"
        when 'HEALTHY' then num_nonnulls("channels"."breaker_paused_for", "channels"."breaker_trial_at", "channels"."trial_order_id") = 0
        else "channels"."breaker_state" in ('DOWN', 'TRIAL') and "channels"."breaker_since" is not null
          and "channels"."breaker_paused_for" >= 0 and "channels"."breaker_trial_at" is not null
          and ("channels"."breaker_state" = 'TRIAL') = ("channels"."trial_order_id" is not null) end),
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
CREATE TABLE "close_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"close_id" uuid NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"owner_id" uuid,
	"note" text,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"ended_by" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "close_items_close_id_unique" UNIQUE("close_id"),
	CONSTRAINT "close_items_amount" CHECK ("close_items"."amount" <> 0),
	CONSTRAINT "close_items_ended" CHECK (("close_items"."ended_at" is null) = ("close_items"."ended_by" is null) and ("close_items"."ended_at" is null or "close_items"."note" is not null))
);
--> statement-breakpoint
CREATE TABLE "day_closes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"account_id" uuid,
	"channel_id" uuid,
	"currency_code" char(3) NOT NULL,
	"day" date NOT NULL,
	"time_zone" text NOT NULL,
	"opening" numeric(20, 4) NOT NULL,
	"credits" numeric(20, 4) NOT NULL,
	"debits" numeric(20, 4) NOT NULL,
	"closing" numeric(20, 4) NOT NULL,
	"outside" numeric(20, 4),
	"outside_source" text,
	"outside_at" timestamp (3) with time zone,
	"status" text NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"closed_by" text,
	"closed_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "day_closes_once" UNIQUE("account","currency_code","day"),
	CONSTRAINT "day_closes_account" CHECK (num_nonnulls("day_closes"."account_id", "day_closes"."channel_id") = 1
        and "day_closes"."account" = coalesce('bank:' || "day_closes"."account_id"::text, 'channel:' || "day_closes"."channel_id"::text)),
	CONSTRAINT "day_closes_sum" CHECK ("day_closes"."closing" = "day_closes"."opening" + "day_closes"."credits" - "day_closes"."debits"),
	CONSTRAINT "day_closes_sides" CHECK ("day_closes"."credits" >= 0 and "day_closes"."debits" >= 0),
	CONSTRAINT "day_closes_outside" CHECK (("day_closes"."outside" is null) = ("day_closes"."outside_source" is null)
        and ("day_closes"."outside_source" is null or "day_closes"."outside_source" in ('STATEMENT', 'AGENT', 'CHANNEL'))),
	CONSTRAINT "day_closes_status" CHECK ("day_closes"."status" in ('PROPOSED', 'CLOSED')),
	CONSTRAINT "day_closes_closed" CHECK (("day_closes"."status" = 'CLOSED') = ("day_closes"."closed_at" is not null)
        and ("day_closes"."closed_at" is null) = ("day_closes"."closed_by" is null))
);
--> statement-breakpoint
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
CREATE TABLE "deposit_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"deposit_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"channel_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"channel_order_no" text,
	"received" numeric(20, 4),
	"charge" numeric(20, 4),
	"cost" numeric(20, 4),
	"counted_day" date,
	"mock_outcome" text,
	"last_error" text,
	"sent_at" timestamp (3) with time zone,
	"doubted_at" timestamp (3) with time zone,
	"recheck_at" timestamp (3) with time zone,
	"wakes" integer DEFAULT 0 NOT NULL,
	"woken_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_attempts_reference_unique" UNIQUE("reference"),
	CONSTRAINT "deposit_attempts_number" UNIQUE("deposit_id","number"),
	CONSTRAINT "deposit_attempts_channel" UNIQUE("deposit_id","channel_id"),
	CONSTRAINT "deposit_attempts_status" CHECK ("deposit_attempts"."status" in ('PREPARED', 'SENT', 'OPEN', 'REFUSED', 'PAID', 'FAILED')),
	CONSTRAINT "deposit_attempts_sent" CHECK (("deposit_attempts"."status" = 'PREPARED') = ("deposit_attempts"."sent_at" is null) or "deposit_attempts"."status" = 'REFUSED'),
	CONSTRAINT "deposit_attempts_paid" CHECK (("deposit_attempts"."status" = 'PAID') = ("deposit_attempts"."received" is not null)
        and num_nonnulls("deposit_attempts"."received", "deposit_attempts"."charge", "deposit_attempts"."cost") in (0, 3) and "deposit_attempts"."received" > 0)
);
--> statement-breakpoint
CREATE TABLE "deposit_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_no" text collate "C" NOT NULL,
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text collate "C" NOT NULL,
	"order_type" text NOT NULL,
	"cashier_session_id" uuid,
	"account_id" uuid,
	"channel_id" uuid,
	"channel_order_no" text,
	"payment_url" text,
	"payment_info" jsonb,
	"estimated_channel_cost" numeric(20, 4),
	"actual_channel_cost" numeric(20, 4),
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
	"payer_mobile_index" text collate "C",
	"payer_email" text,
	"payer_email_index" text collate "C",
	"payer_bank_code" text,
	"payer_account_no" text,
	"payer_account_index" text collate "C",
	"payer_account_last4" text,
	"payment_snapshot" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"fee_schedule_id" uuid,
	"fee_held" numeric(20, 4),
	"fee_captured" numeric(20, 4),
	"fee_released_at" timestamp (3) with time zone,
	"routing_rules_id" uuid,
	"routing_rule" smallint,
	"payer_outcome" text,
	"payer_findings" jsonb,
	"fee_volume" numeric(20, 4),
	"volume_month" date,
	"commission_rate_id" uuid,
	CONSTRAINT "deposit_orders_order_no_unique" UNIQUE("order_no"),
	CONSTRAINT "deposit_orders_remark" UNIQUE("expected_remark","account_id"),
	CONSTRAINT "deposit_orders_volume" CHECK ("deposit_orders"."fee_volume" is null or "deposit_orders"."fee_volume" >= 0 and "deposit_orders"."fee_schedule_id" is not null),
	CONSTRAINT "deposit_orders_volume_month" CHECK ("deposit_orders"."volume_month" is null or "deposit_orders"."status" = 'COMPLETED' and extract(day from "deposit_orders"."volume_month") = 1),
	CONSTRAINT "deposit_orders_routing_rule" CHECK ("deposit_orders"."routing_rule" is null or ("deposit_orders"."routing_rule" > 0 and "deposit_orders"."routing_rules_id" is not null)),
	CONSTRAINT "deposit_orders_way" CHECK (num_nonnulls("deposit_orders"."account_id", "deposit_orders"."channel_id") > 0),
	CONSTRAINT "deposit_orders_payer" CHECK (num_nulls("deposit_orders"."payer_outcome", "deposit_orders"."payer_findings") in (0, 2)
        and "deposit_orders"."payer_outcome" in ('WAIT', 'WATCH', 'ALLOW') and jsonb_typeof("deposit_orders"."payer_findings") = 'array'),
	CONSTRAINT "deposit_orders_type" CHECK ("deposit_orders"."order_type" in ('DIRECT', 'CASHIER')),
	CONSTRAINT "deposit_orders_cashier" CHECK ("deposit_orders"."cashier_session_id" is null or "deposit_orders"."order_type" = 'CASHIER'),
	CONSTRAINT "deposit_orders_status" CHECK ("deposit_orders"."status" in ('PENDING', 'MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')),
	CONSTRAINT "deposit_orders_amounts" CHECK ("deposit_orders"."requested_amount" > 0 and "deposit_orders"."amount" > 0 and "deposit_orders"."fee" >= 0 and "deposit_orders"."actual_amount" >= 0),
	CONSTRAINT "deposit_orders_channel_cost" CHECK ("deposit_orders"."actual_channel_cost" >= 0 and "deposit_orders"."actual_channel_cost" <= "deposit_orders"."amount" + "deposit_orders"."estimated_channel_cost"),
	CONSTRAINT "deposit_orders_completed" CHECK (("deposit_orders"."status" = 'COMPLETED') = ("deposit_orders"."completed_at" is not null)
        and ("deposit_orders"."status" = 'COMPLETED') = ("deposit_orders"."actual_amount" > 0)
        and ("deposit_orders"."completed_at" is null or ("deposit_orders"."matched_at" is not null and "deposit_orders"."fee" < "deposit_orders"."actual_amount"))),
	CONSTRAINT "deposit_orders_held_fee" CHECK (case when "deposit_orders"."fee_held" is null then num_nonnulls("deposit_orders"."fee_captured", "deposit_orders"."fee_released_at") = 0
        else "deposit_orders"."fee_held" > 0 and num_nonnulls("deposit_orders"."fee_captured", "deposit_orders"."fee_released_at") <= 1
          and ("deposit_orders"."fee_captured" is null or "deposit_orders"."status" = 'COMPLETED' and "deposit_orders"."fee_captured" = least("deposit_orders"."fee", "deposit_orders"."fee_held"))
          and ("deposit_orders"."status" in ('PENDING', 'MATCHED') or num_nonnulls("deposit_orders"."fee_captured", "deposit_orders"."fee_released_at") = 1) end)
);
--> statement-breakpoint
CREATE TABLE "late_receipts" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"cost" numeric(20, 4) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "late_receipts_amounts" CHECK ("late_receipts"."amount" > 0 and "late_receipts"."cost" >= 0)
);
--> statement-breakpoint
CREATE TABLE "reserved_amounts" (
	"account_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposit_id" uuid NOT NULL,
	"free_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"contested" boolean DEFAULT false NOT NULL,
	CONSTRAINT "reserved_amounts_account_id_currency_code_amount_pk" PRIMARY KEY("account_id","currency_code","amount"),
	CONSTRAINT "reserved_amounts_deposit_id_unique" UNIQUE("deposit_id")
);
--> statement-breakpoint
CREATE TABLE "fee_schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_kind" text NOT NULL,
	"channel_id" uuid,
	"wallet_kind" text,
	"version" integer NOT NULL,
	"effective_from" timestamp (3) with time zone NOT NULL,
	"ends" boolean NOT NULL,
	"percent" numeric(7, 4) NOT NULL,
	"fixed" numeric(20, 4) NOT NULL,
	"minimum" numeric(20, 4),
	"maximum" numeric(20, 4),
	"tier_mode" text NOT NULL,
	"tier_froms" numeric(20, 4)[] NOT NULL,
	"tier_percents" numeric(7, 4)[] NOT NULL,
	"tier_fixeds" numeric(20, 4)[] NOT NULL,
	"change_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"tier_by" text,
	CONSTRAINT "fee_schedules_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "fee_schedules_version" UNIQUE NULLS NOT DISTINCT("merchant_id","currency_code","order_kind","channel_id","wallet_kind","version"),
	CONSTRAINT "fee_schedules_of_merchant" UNIQUE("id","merchant_id","currency_code"),
	CONSTRAINT "fee_schedules_tier_by" CHECK ("fee_schedules"."tier_by" in ('AMOUNT', 'MONTH_VOLUME')),
	CONSTRAINT "fee_schedules_scope" CHECK (case "fee_schedules"."order_kind" when 'DEPOSIT' then num_nonnulls("fee_schedules"."channel_id", "fee_schedules"."wallet_kind") <= 1
        when 'WITHDRAWAL' then num_nonnulls("fee_schedules"."channel_id", "fee_schedules"."wallet_kind") = 0 else false end),
	CONSTRAINT "fee_schedules_wallet_kind" CHECK ("fee_schedules"."wallet_kind" in ('BKASH', 'NAGAD')),
	CONSTRAINT "fee_schedules_begins" CHECK ("fee_schedules"."version" > 0 and "fee_schedules"."effective_from" >= "fee_schedules"."created_at"),
	CONSTRAINT "fee_schedules_rule" CHECK ("fee_schedules"."percent" >= 0 and "fee_schedules"."percent" < 100 and "fee_schedules"."fixed" >= 0 and "fee_schedules"."minimum" > 0 and "fee_schedules"."maximum" > 0
        and ("fee_schedules"."minimum" is null or "fee_schedules"."maximum" is null or "fee_schedules"."minimum" <= "fee_schedules"."maximum")),
	CONSTRAINT "fee_schedules_tiers" CHECK ("fee_schedules"."tier_mode" in ('WHOLE', 'SLICES') and cardinality("fee_schedules"."tier_froms") <= 20
        and cardinality("fee_schedules"."tier_percents") = cardinality("fee_schedules"."tier_froms")
        and cardinality("fee_schedules"."tier_fixeds") = cardinality("fee_schedules"."tier_froms")
        and 0 < all("fee_schedules"."tier_froms") and 0 <= all("fee_schedules"."tier_percents") and 100 > all("fee_schedules"."tier_percents")
        and 0 <= all("fee_schedules"."tier_fixeds") and ("fee_schedules"."tier_mode" = 'WHOLE' or 0 = all("fee_schedules"."tier_fixeds")))
);
--> statement-breakpoint
CREATE TABLE "merchant_volumes" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_kind" text NOT NULL,
	"month" date NOT NULL,
	"orders" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	CONSTRAINT "merchant_volumes_merchant_id_currency_code_order_kind_month_pk" PRIMARY KEY("merchant_id","currency_code","order_kind","month"),
	CONSTRAINT "merchant_volumes_kind" CHECK ("merchant_volumes"."order_kind" in ('DEPOSIT', 'WITHDRAWAL')),
	CONSTRAINT "merchant_volumes_sum" CHECK ("merchant_volumes"."orders" > 0 and "merchant_volumes"."amount" > 0 and extract(day from "merchant_volumes"."month") = 1)
);
--> statement-breakpoint
CREATE TABLE "health_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid,
	"channel_id" uuid,
	"cause" text NOT NULL,
	"state" text NOT NULL,
	"order_id" uuid,
	"reason" text,
	"at" timestamp (3) with time zone NOT NULL,
	"who" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "health_changes_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "health_changes_subject" CHECK (case "health_changes"."cause" when 'AGENT' then "health_changes"."account_id" is not null and "health_changes"."channel_id" is null
        else "health_changes"."cause" in ('PROBE', 'BREAKER') and "health_changes"."channel_id" is not null and "health_changes"."account_id" is null end),
	CONSTRAINT "health_changes_state" CHECK ("health_changes"."state" in ('HEALTHY', 'DOWN', 'TRIAL')
        and ("health_changes"."state" = 'TRIAL') = ("health_changes"."order_id" is not null)
        and ("health_changes"."state" <> 'TRIAL' or "health_changes"."cause" = 'BREAKER'))
);
--> statement-breakpoint
CREATE TABLE "outages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"bank_code" text,
	"channel_id" uuid,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"reason" text NOT NULL,
	"entered_by" text NOT NULL,
	"entered_at" timestamp (3) with time zone NOT NULL,
	"ended_by" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "outages_subject" CHECK (num_nonnulls("outages"."bank_code", "outages"."channel_id") = 1),
	CONSTRAINT "outages_ends" CHECK ("outages"."ends_at" > "outages"."begins_at"),
	CONSTRAINT "outages_ended" CHECK (("outages"."ended_by" is null) = ("outages"."ended_at" is null))
);
--> statement-breakpoint
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
CREATE TABLE "ledger_entries" (
	"transfer_id" uuid NOT NULL,
	"line" smallint NOT NULL,
	"account" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"balance_before" numeric(20, 4),
	"balance_after" numeric(20, 4),
	"version" bigint,
	"value_day" date,
	CONSTRAINT "ledger_entries_transfer_id_line_pk" PRIMARY KEY("transfer_id","line"),
	CONSTRAINT "ledger_entries_value_day" CHECK ("ledger_entries"."value_day" is null or "ledger_entries"."account" like 'bank:%' or "ledger_entries"."account" like 'channel:%'),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" <> 0),
	CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" ~ '^(suspense|fee_income|channel_cost|loss|treasury|adjustment|equity|bank_cost|in_transit|unclaimed|(bank|channel|channel_claim|merchant_receivable|reseller):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$'),
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
	CONSTRAINT "ledger_transfers_key_unique" UNIQUE("key"),
	CONSTRAINT "ledger_transfers_type" CHECK (type in ('BANK_CREDIT', 'DEPOSIT_CREDIT', 'BALANCE_TOP_UP', 'BALANCE_ADJUSTMENT', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID', 'CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED', 'RECEIVABLE_COVERED', 'CHANNEL_CLAIMED', 'LATE_RECEIVED', 'FEE_HELD', 'FEE_RELEASED', 'FEE_CAPTURED', 'COMMISSION_EARNED', 'COMMISSION_REVERSED', 'LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED', 'MONEY_UNCLAIMED', 'LATE_RETURNED', 'INTEREST_RECEIVED', 'REPORTED_TWICE', 'BANK_CHARGED', 'PROFIT_TAKEN', 'COMMISSION_PAID', 'OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN', 'ACCOUNT_OPENED', 'ACCOUNT_CORRECTED', 'CHANNEL_CHARGED', 'CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF', 'POSTING_REVERSED', 'MONEY_RETURNED', 'REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID', 'BOOK_OPENED')),
	CONSTRAINT "ledger_transfers_key" CHECK (case
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
        end)
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
CREATE TABLE "receivable_covers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"version" bigint NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receivable_covers_once" UNIQUE("merchant_id","currency_code","version"),
	CONSTRAINT "receivable_covers_amount" CHECK ("receivable_covers"."amount" > 0 and "receivable_covers"."version" > 0)
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
	"first_used_at" timestamp (3) with time zone,
	"first_create_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_lookup_hash_unique" UNIQUE("lookup_hash")
);
--> statement-breakpoint
CREATE TABLE "merchant_currencies" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"enabled" boolean NOT NULL,
	"deposit_fee_percent" numeric(7, 4) NOT NULL,
	"deposit_fee_fixed" numeric(20, 4) NOT NULL,
	"pool_id" uuid,
	"deposit_min" numeric(20, 4),
	"deposit_max" numeric(20, 4),
	"cashier_denominations" numeric(20, 4)[] DEFAULT '{}' NOT NULL,
	"cashier_custom_min" numeric(20, 4),
	"cashier_custom_max" numeric(20, 4),
	"withdrawal_fee_percent" numeric(7, 4) DEFAULT '0' NOT NULL,
	"withdrawal_fee_fixed" numeric(20, 4) DEFAULT '0' NOT NULL,
	"withdrawal_min" numeric(20, 4),
	"withdrawal_max" numeric(20, 4),
	"wallet_channel_id" uuid,
	"prepaid" boolean DEFAULT false NOT NULL,
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
	"webhook_ssl_verify" boolean DEFAULT true NOT NULL,
	"notify_deposit_matched" boolean DEFAULT false NOT NULL,
	"notify_deposit_expired" boolean NOT NULL,
	"notify_deposit_cancelled" boolean NOT NULL,
	"max_open_deposits" integer DEFAULT 10000 NOT NULL,
	"max_open_deposits_per_user" integer DEFAULT 1000 NOT NULL,
	"cashier_session_expire_minutes" integer DEFAULT 15 NOT NULL,
	"cashier_name" text,
	"cashier_logo_url" text,
	"cashier_colour" text,
	"cashier_return_url" text,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"hold_days" smallint DEFAULT 0 NOT NULL,
	"hide_costs" boolean DEFAULT false NOT NULL,
	"allowed_addresses" text[],
	"late_payment" text DEFAULT 'OFF' NOT NULL,
	"returns_payout_fee" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchants_merchant_code_unique" UNIQUE("merchant_code"),
	CONSTRAINT "merchants_late_payment" CHECK ("merchants"."late_payment" in ('OFF', 'REOPEN')),
	CONSTRAINT "merchants_deposit_expire" CHECK ("merchants"."deposit_expire_minutes" between 1 and 1440),
	CONSTRAINT "merchants_cashier_session_expire" CHECK ("merchants"."cashier_session_expire_minutes" between 1 and 1440),
	CONSTRAINT "merchants_cashier_colour" CHECK ("merchants"."cashier_colour" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "merchants_time_zone" CHECK (timezone("merchants"."time_zone", timestamp '2000-01-01') is not null),
	CONSTRAINT "merchants_hold_days" CHECK ("merchants"."hold_days" between 0 and 90),
	CONSTRAINT "merchants_callback_timeout" CHECK ("merchants"."callback_timeout_seconds" between 1 and 60),
	CONSTRAINT "merchants_open_deposits" CHECK ("merchants"."max_open_deposits" > 0 and "merchants"."max_open_deposits_per_user" > 0)
);
--> statement-breakpoint
CREATE TABLE "operator_postings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) DEFAULT '0' NOT NULL,
	"bank_transfer_id" uuid,
	"deposit_attempt_id" uuid,
	"bank_debit_id" uuid,
	"account_id" uuid,
	"channel_id" uuid,
	"merchant_id" uuid,
	"deposit_id" uuid,
	"withdrawal_id" uuid,
	"reseller_id" uuid,
	"pair_id" uuid,
	"change_id" uuid,
	"rule_id" uuid,
	"posted_by" text NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"reversed_at" timestamp (3) with time zone,
	"reversal_change_id" uuid,
	"reversal_owed" numeric(20, 4) DEFAULT '0' NOT NULL,
	CONSTRAINT "operator_postings_kind" CHECK (coalesce(case kind when 'LATE_CREDIT' then merchant_id is not null and bank_debit_id is null and account_id is null and channel_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(bank_transfer_id, deposit_attempt_id) = 1 and fee >= 0 and amount > 0 and change_id is not null when 'TOP_UP_RECEIVED' then bank_transfer_id is not null and merchant_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'PAYOUT_RETURNED' then bank_transfer_id is not null and merchant_id is not null and withdrawal_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and deposit_id is null and reseller_id is null and pair_id is null and fee >= 0 and amount > 0 when 'MONEY_UNCLAIMED' then bank_debit_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(bank_transfer_id, deposit_attempt_id) = 1 and fee = 0 and amount > 0 and change_id is not null when 'LATE_RETURNED' then deposit_attempt_id is not null and channel_id is not null and bank_transfer_id is null and bank_debit_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'INTEREST_RECEIVED' then bank_transfer_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 when 'REPORTED_TWICE' then bank_transfer_id is not null and account_id is not null and bank_debit_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'BANK_CHARGED' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 when 'PROFIT_TAKEN' then bank_debit_id is not null and account_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'COMMISSION_PAID' then bank_debit_id is not null and account_id is not null and reseller_id is not null and bank_transfer_id is null and deposit_attempt_id is null and channel_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'OWN_TRANSFER_OUT' then bank_transfer_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount > 0 when 'OWN_TRANSFER_IN' then bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and num_nonnulls(bank_transfer_id, channel_id) = 1 and fee = 0 and amount > 0 when 'ACCOUNT_OPENED' then bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'ACCOUNT_CORRECTED' then bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and num_nonnulls(account_id, channel_id) = 1 and fee = 0 and amount <> 0 and change_id is not null when 'CHANNEL_CHARGED' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_SETTLED' then channel_id is not null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null when 'CLAIM_WRITTEN_OFF' then channel_id is not null and bank_transfer_id is null and bank_debit_id is null and deposit_attempt_id is null and account_id is null and merchant_id is null and deposit_id is null and withdrawal_id is null and reseller_id is null and pair_id is null and fee = 0 and amount > 0 and change_id is not null end, false)),
	CONSTRAINT "operator_postings_debit" CHECK ("operator_postings"."kind" <> 'OWN_TRANSFER_OUT' or ("operator_postings"."account_id" is null) = ("operator_postings"."bank_debit_id" is null)),
	CONSTRAINT "operator_postings_fee" CHECK ("operator_postings"."kind" <> 'LATE_CREDIT' or "operator_postings"."fee" < "operator_postings"."amount"),
	CONSTRAINT "operator_postings_reversal" CHECK (("operator_postings"."reversed_at" is null) = ("operator_postings"."reversal_change_id" is null) and "operator_postings"."reversal_owed" >= 0
        and ("operator_postings"."reversed_at" is not null or "operator_postings"."reversal_owed" = 0))
);
--> statement-breakpoint
CREATE TABLE "payer_returns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"bank_transfer_id" uuid,
	"deposit_id" uuid,
	"merchant_id" uuid,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"payee_name" text NOT NULL,
	"payee_account" text collate "C" NOT NULL,
	"payee_account_index" text collate "C",
	"payee_bank" text,
	"change_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"account_id" uuid,
	"sent_by" uuid,
	"sending_at" timestamp (3) with time zone,
	"bank_reference" text,
	"bank_debit_id" uuid,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	CONSTRAINT "payer_returns_source" CHECK (num_nonnulls("payer_returns"."bank_transfer_id", "payer_returns"."deposit_id") = 1
        and ("payer_returns"."deposit_id" is null) = ("payer_returns"."merchant_id" is null)),
	CONSTRAINT "payer_returns_amount" CHECK ("payer_returns"."amount" > 0),
	CONSTRAINT "payer_returns_status" CHECK (coalesce(case "payer_returns"."status"
        when 'OPEN' then num_nonnulls("payer_returns"."account_id", "payer_returns"."sent_by", "payer_returns"."sending_at", "payer_returns"."ended_at") = 0
        when 'SENDING' then num_nulls("payer_returns"."account_id", "payer_returns"."sent_by", "payer_returns"."sending_at") = 0 and "payer_returns"."ended_at" is null
        when 'COMPLETED' then num_nulls("payer_returns"."account_id", "payer_returns"."sent_by", "payer_returns"."sending_at", "payer_returns"."ended_at", "payer_returns"."bank_reference") = 0
        when 'CANCELLED' then "payer_returns"."ended_at" is not null and "payer_returns"."end_reason" is not null
        end, false)),
	CONSTRAINT "payer_returns_paid" CHECK ("payer_returns"."status" = 'COMPLETED' or num_nonnulls("payer_returns"."bank_reference", "payer_returns"."bank_debit_id") = 0)
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
	"allowed_addresses" text[],
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
	"token_hash" text,
	"email" text NOT NULL,
	"operator_id" uuid,
	"roles" text[],
	"merchant_ids" uuid[],
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
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
CREATE TABLE "operator_passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"label" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "operator_passkeys_credential_id_unique" UNIQUE("credential_id")
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
	"factor_at" timestamp (3) with time zone,
	"passkey_at" timestamp (3) with time zone,
	"roles" text[],
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
	"decides_from" timestamp (3) with time zone,
	CONSTRAINT "operators_login_unique" UNIQUE("login")
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"challenge" text PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('ADD', 'SIGN_IN', 'CONFIRM'))
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"name" text PRIMARY KEY NOT NULL,
	"permissions" text[] NOT NULL,
	"approve_limits" jsonb,
	"built_in" boolean NOT NULL,
	CONSTRAINT "roles_permissions" CHECK ("roles"."permissions" <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'CONFIGURE', 'ADMIN', 'READ_PERSONAL'])
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
	"rank" smallint DEFAULT 2 NOT NULL,
	"start_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"refusals" integer NOT NULL,
	"parked_at" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "outbox_rank" CHECK ("outbox"."rank" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "listed_payers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"list" text NOT NULL,
	"trait" text NOT NULL,
	"value" text NOT NULL,
	"key" text collate "C" NOT NULL,
	"bank_code" text collate "C",
	"merchant_id" uuid,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "listed_payers_list" CHECK ("listed_payers"."list" in ('DENY', 'WATCH', 'ALLOW')),
	CONSTRAINT "listed_payers_trait" CHECK ("listed_payers"."trait" in ('NAME', 'ACCOUNT', 'USER', 'EMAIL', 'MOBILE') and "listed_payers"."key" <> ''
        and ("listed_payers"."bank_code" is null or "listed_payers"."trait" = 'ACCOUNT')),
	CONSTRAINT "listed_payers_expiry" CHECK ("listed_payers"."expires_at" > "listed_payers"."created_at")
);
--> statement-breakpoint
CREATE TABLE "payer_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid,
	"currency_code" char(3) NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"change_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payer_rules_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "payer_rules_version" UNIQUE NULLS NOT DISTINCT("merchant_id","currency_code","version"),
	CONSTRAINT "payer_rules_comparison" CHECK (coalesce("payer_rules"."rules" ->> 'comparison' in ('IGNORE', 'WAIT', 'RETURN')
        and jsonb_typeof("payer_rules"."rules" -> 'velocity') = 'array', false))
);
--> statement-breakpoint
CREATE TABLE "payout_aftermaths" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" uuid NOT NULL,
	"type" text NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) DEFAULT '0' NOT NULL,
	"from_available" numeric(20, 4) DEFAULT '0' NOT NULL,
	"owed" numeric(20, 4) DEFAULT '0' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_aftermaths_once" UNIQUE("attempt_id","type"),
	CONSTRAINT "payout_aftermaths_amounts" CHECK ("payout_aftermaths"."amount" > 0 and "payout_aftermaths"."fee" >= 0 and "payout_aftermaths"."from_available" >= 0 and "payout_aftermaths"."owed" >= 0
        and case "payout_aftermaths"."type"
        when 'WITHDRAWAL_LATE_PAID' then "payout_aftermaths"."amount" + "payout_aftermaths"."fee" = "payout_aftermaths"."from_available" + "payout_aftermaths"."owed"
        when 'WITHDRAWAL_RETURNED' then "payout_aftermaths"."fee" + "payout_aftermaths"."from_available" + "payout_aftermaths"."owed" = 0
        when 'CHANNEL_CLAIMED' then "payout_aftermaths"."fee" + "payout_aftermaths"."from_available" + "payout_aftermaths"."owed" = 0
        else false end)
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
	"wakes" integer DEFAULT 0 NOT NULL,
	"woken_at" timestamp (3) with time zone,
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
CREATE TABLE "platform" (
	"id" smallint PRIMARY KEY NOT NULL,
	"identity" uuid NOT NULL,
	"epoch" integer NOT NULL,
	CONSTRAINT "platform_one" CHECK ("platform"."id" = 1 and "platform"."epoch" >= 0)
);
--> statement-breakpoint
CREATE TABLE "platform_marker" (
	"id" smallint PRIMARY KEY NOT NULL,
	"marker" bigint NOT NULL,
	"raised_at" timestamp (3) with time zone,
	"recovered_marker" bigint,
	CONSTRAINT "platform_marker_one" CHECK ("platform_marker"."id" = 1 and "platform_marker"."marker" >= 0)
);
--> statement-breakpoint
CREATE TABLE "raised_markers" (
	"marker" bigint PRIMARY KEY NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recoveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"epoch" integer NOT NULL,
	"database_marker" bigint NOT NULL,
	"outside_marker" bigint NOT NULL,
	"lost_since" timestamp (3) with time zone NOT NULL,
	"begun_at" timestamp (3) with time zone NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"asking_until" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	CONSTRAINT "recoveries_epoch_unique" UNIQUE("epoch"),
	CONSTRAINT "recoveries_ended" CHECK (("recoveries"."ended_at" is null) = ("recoveries"."ended_by" is null))
);
--> statement-breakpoint
CREATE TABLE "recovery_findings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recovery_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"withdrawal_id" uuid,
	"channel_id" uuid,
	"merchant_id" uuid,
	"detail" text NOT NULL,
	"entered_by" uuid,
	"explained_by" uuid,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_findings_subject" UNIQUE("recovery_id","subject"),
	CONSTRAINT "recovery_findings_kind" CHECK (case "recovery_findings"."kind"
        when 'NOT_PAID' then "recovery_findings"."withdrawal_id" is not null
        when 'AT_CHANNEL' then "recovery_findings"."withdrawal_id" is not null
        when 'UNEXPLAINED' then "recovery_findings"."withdrawal_id" is not null
        when 'UNANSWERED' then "recovery_findings"."withdrawal_id" is not null
        when 'OPEN_RETURN' then starts_with("recovery_findings"."subject", 'return:')
        when 'UNKNOWN_HERE' then "recovery_findings"."channel_id" is not null
        when 'NO_LIST' then "recovery_findings"."channel_id" is not null
        when 'LOST_NUMBER' then "recovery_findings"."merchant_id" is not null and "recovery_findings"."entered_by" is not null
        else false end)
);
--> statement-breakpoint
CREATE TABLE "event_addresses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"merchant_id" uuid,
	"version" integer NOT NULL,
	"mails" text[] NOT NULL,
	"webhook_url" text,
	"sealed_secret" text,
	"secret_id" uuid,
	"secret_taken_at" timestamp (3) with time zone,
	"allow_insecure" boolean NOT NULL,
	"change_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_addresses_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "event_addresses_version" UNIQUE NULLS NOT DISTINCT("event","merchant_id","version"),
	CONSTRAINT "event_addresses_event" CHECK (case "event_addresses"."event" when 'alert_raised' then "event_addresses"."merchant_id" is null
        else "event_addresses"."event" in ('billing_statement_issued', 'tenant_owner_invite') and "event_addresses"."merchant_id" is not null end),
	CONSTRAINT "event_addresses_numbered" CHECK ("event_addresses"."version" > 0),
	CONSTRAINT "event_addresses_mails" CHECK (cardinality("event_addresses"."mails") <= 10),
	CONSTRAINT "event_addresses_owner" CHECK ("event_addresses"."event" <> 'tenant_owner_invite' or (cardinality("event_addresses"."mails") <= 1 and "event_addresses"."webhook_url" is null)),
	CONSTRAINT "event_addresses_secret" CHECK (("event_addresses"."webhook_url" is null) = ("event_addresses"."sealed_secret" is null) and ("event_addresses"."webhook_url" is null) = ("event_addresses"."secret_id" is null))
);
--> statement-breakpoint
CREATE TABLE "event_attempts" (
	"delivery_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"attempt" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"response_status" integer,
	"response_body" text,
	"error" text,
	CONSTRAINT "event_attempts_delivery_id_generation_attempt_pk" PRIMARY KEY("delivery_id","generation","attempt")
);
--> statement-breakpoint
CREATE TABLE "event_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"status" text NOT NULL,
	"attempt_count" smallint NOT NULL,
	"total_attempts" integer NOT NULL,
	"generation" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_deliveries_once" UNIQUE("event_id","kind","target"),
	CONSTRAINT "event_deliveries_kind" CHECK ("event_deliveries"."kind" in ('MAIL', 'WEBHOOK')),
	CONSTRAINT "event_deliveries_status" CHECK ("event_deliveries"."status" in ('SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED')),
	CONSTRAINT "event_deliveries_attempts" CHECK ("event_deliveries"."attempt_count" between 0 and case "event_deliveries"."kind" when 'WEBHOOK' then 5 else 30 end),
	CONSTRAINT "event_deliveries_lease" CHECK (("event_deliveries"."status" = 'SENDING') = ("event_deliveries"."lease_until" is not null)),
	CONSTRAINT "event_deliveries_next" CHECK (("event_deliveries"."status" = 'WAITING_RETRY') = ("event_deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "platform_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"merchant_id" uuid,
	"subject_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "platform_events_once" UNIQUE("event","subject_id"),
	CONSTRAINT "platform_events_event" CHECK ("platform_events"."event" in ('billing_statement_issued', 'alert_raised', 'tenant_owner_invite', 'agent_invite'))
);
--> statement-breakpoint
CREATE TABLE "platform_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"current_from" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "platform_keys_id" CHECK ("platform_keys"."id" ~ '^[0-9a-f]{8}$')
);
--> statement-breakpoint
CREATE TABLE "process_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"key_ids" text[] NOT NULL,
	"current_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pool_accounts" (
	"account_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	CONSTRAINT "pool_accounts_account_id_pool_id_pk" PRIMARY KEY("account_id","pool_id")
);
--> statement-breakpoint
CREATE TABLE "pool_channels" (
	"channel_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	CONSTRAINT "pool_channels_channel_id_pool_id_pk" PRIMARY KEY("channel_id","pool_id")
);
--> statement-breakpoint
CREATE TABLE "pools" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pools_name" UNIQUE("currency_code","name"),
	CONSTRAINT "pools_of_currency" UNIQUE("id","currency_code"),
	CONSTRAINT "pools_named" CHECK ("pools"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "deposit_recalls" (
	"deposit_id" uuid PRIMARY KEY NOT NULL,
	"change_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"bank_debit_id" uuid,
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
	"account_key" text NOT NULL,
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
CREATE TABLE "routing_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_kind" text NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"change_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "routing_rules_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "routing_rules_version" UNIQUE("currency_code","order_kind","version"),
	CONSTRAINT "routing_rules_of_currency" UNIQUE("id","currency_code"),
	CONSTRAINT "routing_rules_kind" CHECK ("routing_rules"."order_kind" in ('DEPOSIT', 'PAYOUT')),
	CONSTRAINT "routing_rules_numbered" CHECK ("routing_rules"."version" > 0),
	CONSTRAINT "routing_rules_list" CHECK (jsonb_typeof("routing_rules"."rules") = 'array' and jsonb_array_length("routing_rules"."rules") <= 100)
);
--> statement-breakpoint
CREATE TABLE "secret_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"addresses_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"overlap_seconds" integer,
	"change_id" uuid NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone,
	"taken_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "secret_links_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "secret_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "secret_links_kind" CHECK ("secret_links"."kind" in ('API_KEY', 'WEBHOOK_SECRET')),
	CONSTRAINT "secret_links_overlap" CHECK ("secret_links"."overlap_seconds" is null or ("secret_links"."kind" = 'API_KEY' and "secret_links"."overlap_seconds" >= 0)),
	CONSTRAINT "secret_links_sent" CHECK (("secret_links"."token_hash" is null) = ("secret_links"."expires_at" is null)),
	CONSTRAINT "secret_links_taken" CHECK ("secret_links"."taken_at" is null or "secret_links"."token_hash" is not null)
);
--> statement-breakpoint
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
        and "settlement_plans"."threshold" > "settlement_plans"."keep" and "settlement_plans"."threshold" - "settlement_plans"."keep" >= "settlement_plans"."minimum")
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
	CONSTRAINT "settlement_runs_due" CHECK ("settlement_runs"."due_at" <= "settlement_runs"."ran_at" and "settlement_runs"."missed" >= 0)
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
CREATE TABLE "statement_lines" (
	"statement_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"account_id" uuid NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"raw" text,
	"direction" text,
	"amount" numeric(20, 4),
	"currency_code" char(3) NOT NULL,
	"day" date,
	"bank_time" timestamp (3) with time zone,
	"bank_reference" text,
	"memo" text,
	"party_name" text,
	"party_account" text,
	"balance_after" numeric(20, 4),
	"line_key" text collate "C",
	"nth" integer,
	"transfer_id" uuid,
	"debit_id" uuid,
	"rule_id" uuid,
	CONSTRAINT "statement_lines_statement_id_line_pk" PRIMARY KEY("statement_id","line"),
	CONSTRAINT "statement_lines_direction" CHECK ("statement_lines"."direction" in ('CREDIT', 'DEBIT')),
	CONSTRAINT "statement_lines_state" CHECK ("statement_lines"."state" in ('BAD', 'NEW', 'KNOWN', 'PAIRED', 'RECORDED')),
	CONSTRAINT "statement_lines_bad" CHECK (("statement_lines"."state" = 'BAD') = ("statement_lines"."problem" is not null)),
	CONSTRAINT "statement_lines_read" CHECK ("statement_lines"."state" = 'BAD' or ("statement_lines"."direction" is not null and "statement_lines"."amount" > 0 and "statement_lines"."day" is not null
        and "statement_lines"."bank_time" is not null and "statement_lines"."memo" is not null and "statement_lines"."line_key" is not null and "statement_lines"."nth" > 0)),
	CONSTRAINT "statement_lines_links" CHECK (case when "statement_lines"."state" in ('BAD', 'NEW') then "statement_lines"."transfer_id" is null and "statement_lines"."debit_id" is null
        when "statement_lines"."direction" = 'CREDIT' then "statement_lines"."transfer_id" is not null and "statement_lines"."debit_id" is null
        else "statement_lines"."transfer_id" is null and "statement_lines"."debit_id" is not null end)
);
--> statement-breakpoint
CREATE TABLE "statement_mappings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"bank_code" text,
	"account_id" uuid,
	"mapping" jsonb NOT NULL,
	"updated_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_mappings_name" UNIQUE("name"),
	CONSTRAINT "statement_mappings_of" CHECK ("statement_mappings"."bank_code" is null or "statement_mappings"."account_id" is null)
);
--> statement-breakpoint
CREATE TABLE "statement_parts" (
	"statement_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "statement_parts_statement_id_part_pk" PRIMARY KEY("statement_id","part")
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
CREATE TABLE "statements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"mapping" jsonb,
	"status" text NOT NULL,
	"bytes" integer NOT NULL,
	"parts" integer NOT NULL,
	"sha256" text,
	"read_items" integer NOT NULL,
	"lines" integer,
	"through_line" integer NOT NULL,
	"opening_balance" numeric(20, 4),
	"opening_day" date,
	"closing_balance" numeric(20, 4),
	"closing_day" date,
	"problem" text,
	"contradiction" text,
	"difference" numeric(20, 4),
	"confirmed_by" text,
	"confirmed_at" timestamp (3) with time zone,
	"uploaded_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"imported_by" text,
	"imported_at" timestamp (3) with time zone,
	CONSTRAINT "statements_format" CHECK ("statements"."format" in ('CSV', 'CAMT053', 'MT940')),
	CONSTRAINT "statements_status" CHECK ("statements"."status" in ('UPLOADING', 'READ', 'IMPORTING', 'IMPORTED', 'DROPPED')),
	CONSTRAINT "statements_mapping" CHECK (("statements"."format" = 'CSV') = ("statements"."mapping" is not null)),
	CONSTRAINT "statements_add_up" CHECK ("statements"."contradiction" is null or ("statements"."difference" is not null and "statements"."status" not in ('IMPORTING', 'IMPORTED'))),
	CONSTRAINT "statements_confirmed" CHECK (("statements"."confirmed_by" is null) = ("statements"."confirmed_at" is null)),
	CONSTRAINT "statements_imported" CHECK (("statements"."status" in ('IMPORTING', 'IMPORTED')) = ("statements"."imported_by" is not null)
        and ("statements"."status" = 'IMPORTED') = ("statements"."imported_at" is not null)
        and ("statements"."status" not in ('IMPORTING', 'IMPORTED') or "statements"."problem" is null))
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
	"beneficiary_account_index" text,
	"beneficiary_account_key" text,
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
	"counted_day" date,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"fee_schedule_id" uuid,
	"fee_volume" numeric(20, 4),
	"volume_month" date,
	"commission_rate_id" uuid,
	CONSTRAINT "withdrawal_orders_order_no_unique" UNIQUE("order_no"),
	CONSTRAINT "withdrawal_orders_volume" CHECK ("withdrawal_orders"."fee_volume" is null or "withdrawal_orders"."fee_volume" >= 0 and "withdrawal_orders"."fee_schedule_id" is not null),
	CONSTRAINT "withdrawal_orders_volume_month" CHECK ("withdrawal_orders"."volume_month" is null or "withdrawal_orders"."status" = 'COMPLETED' and extract(day from "withdrawal_orders"."volume_month") = 1),
	CONSTRAINT "withdrawal_orders_beneficiary_key" CHECK (case when "withdrawal_orders"."origin" = 'SETTLEMENT'
          then "withdrawal_orders"."beneficiary_account_index" is null and "withdrawal_orders"."beneficiary_account_key" is not null
        when "withdrawal_orders"."beneficiary_account" = '[erased]'
          then num_nonnulls("withdrawal_orders"."beneficiary_account_index", "withdrawal_orders"."beneficiary_account_key") = 0
        else num_nulls("withdrawal_orders"."beneficiary_account_index", "withdrawal_orders"."beneficiary_account_key") = 0
          and "withdrawal_orders"."beneficiary_account" ~ '^(v1|v2[.][0-9a-f]{8})[.]' end),
	CONSTRAINT "withdrawal_orders_settlement" CHECK ("withdrawal_orders"."origin" = 'MERCHANT' or ("withdrawal_orders"."people_needed" > 0 and "withdrawal_orders"."callback_url" is null)),
	CONSTRAINT "withdrawal_orders_origin" CHECK ("withdrawal_orders"."origin" in ('MERCHANT', 'SETTLEMENT')),
	CONSTRAINT "withdrawal_orders_status" CHECK ("withdrawal_orders"."status" in ('PENDING', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED')),
	CONSTRAINT "withdrawal_orders_amounts" CHECK ("withdrawal_orders"."amount" > 0 and "withdrawal_orders"."fee" >= 0 and "withdrawal_orders"."actual_amount" >= 0),
	CONSTRAINT "withdrawal_orders_channel_cost" CHECK ("withdrawal_orders"."actual_channel_cost" >= 0 and "withdrawal_orders"."actual_channel_cost" <= "withdrawal_orders"."amount" + "withdrawal_orders"."estimated_channel_cost"),
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
CREATE TABLE "worker_heartbeats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"build_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "account_costs" ADD CONSTRAINT "account_costs_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_enrolments" ADD CONSTRAINT "agent_enrolments_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_enrolments" ADD CONSTRAINT "agent_enrolments_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_key_accounts" ADD CONSTRAINT "agent_key_accounts_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_key_accounts" ADD CONSTRAINT "agent_key_accounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_nonces" ADD CONSTRAINT "agent_nonces_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_devices" ADD CONSTRAINT "agent_devices_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_device_id_agent_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."agent_devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_pattern_id_text_patterns_id_fk" FOREIGN KEY ("pattern_id") REFERENCES "public"."text_patterns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_debit_id_bank_debits_id_fk" FOREIGN KEY ("debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_acknowledged_by_operators_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_days" ADD CONSTRAINT "account_days_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_debits" ADD CONSTRAINT "bank_debits_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_debits" ADD CONSTRAINT "bank_debits_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transfer_changes" ADD CONSTRAINT "bank_transfer_changes_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_work" ADD CONSTRAINT "credit_work_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_work" ADD CONSTRAINT "credit_work_owner_id_operators_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_statement_lines" ADD CONSTRAINT "billing_statement_lines_statement_id_billing_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."billing_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_statements" ADD CONSTRAINT "billing_statements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_statements" ADD CONSTRAINT "billing_statements_previous" FOREIGN KEY ("merchant_id","currency_code","previous_number","begins_at","from_seq","opening_available","opening_frozen","opening_receivable") REFERENCES "public"."billing_statements"("merchant_id","currency_code","number","ends_at","through_seq","closing_available","closing_frozen","closing_receivable") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_book_lines" ADD CONSTRAINT "ledger_book_lines_book_id_ledger_books_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."ledger_books"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_seals" ADD CONSTRAINT "ledger_seals_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "channel_mapping_trials" ADD CONSTRAINT "channel_mapping_trials_tried_by_operators_id_fk" FOREIGN KEY ("tried_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mapping_trials" ADD CONSTRAINT "channel_mapping_trials_version" FOREIGN KEY ("channel_id","version") REFERENCES "public"."channel_mappings"("channel_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mappings" ADD CONSTRAINT "channel_mappings_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mappings" ADD CONSTRAINT "channel_mappings_created_by_operators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_balances" ADD CONSTRAINT "channel_balances_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_banks" ADD CONSTRAINT "channel_banks_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_days" ADD CONSTRAINT "channel_days_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_bound_account_id_bank_accounts_id_fk" FOREIGN KEY ("bound_account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "close_items" ADD CONSTRAINT "close_items_close_id_day_closes_id_fk" FOREIGN KEY ("close_id") REFERENCES "public"."day_closes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "close_items" ADD CONSTRAINT "close_items_owner_id_operators_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "day_closes" ADD CONSTRAINT "day_closes_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "day_closes" ADD CONSTRAINT "day_closes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_rates" ADD CONSTRAINT "commission_rates_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_rates" ADD CONSTRAINT "commission_rates_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_rates" ADD CONSTRAINT "commission_rates_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_rate" FOREIGN KEY ("rate_id","merchant_id","currency_code","reseller_id") REFERENCES "public"."commission_rates"("id","merchant_id","currency_code","reseller_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_attempts" ADD CONSTRAINT "deposit_attempts_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_attempts" ADD CONSTRAINT "deposit_attempts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_commission_rate" FOREIGN KEY ("commission_rate_id","merchant_id","currency_code") REFERENCES "public"."commission_rates"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_fee_schedule" FOREIGN KEY ("fee_schedule_id","merchant_id","currency_code") REFERENCES "public"."fee_schedules"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "late_receipts" ADD CONSTRAINT "late_receipts_attempt_id_deposit_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."deposit_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "late_receipts" ADD CONSTRAINT "late_receipts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD CONSTRAINT "reserved_amounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD CONSTRAINT "reserved_amounts_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_volumes" ADD CONSTRAINT "merchant_volumes_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_changes" ADD CONSTRAINT "health_changes_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_changes" ADD CONSTRAINT "health_changes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outages" ADD CONSTRAINT "outages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_bank_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("bank_transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_balances" ADD CONSTRAINT "merchant_balances_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receivable_covers" ADD CONSTRAINT "receivable_covers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_link_id_operator_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."operator_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_wallet_channel_id_channels_id_fk" FOREIGN KEY ("wallet_channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_pool" FOREIGN KEY ("pool_id","currency_code") REFERENCES "public"."pools"("id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_order_numbers" ADD CONSTRAINT "merchant_order_numbers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_bank_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("bank_transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_deposit_attempt_id_deposit_attempts_id_fk" FOREIGN KEY ("deposit_attempt_id") REFERENCES "public"."deposit_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_bank_debit_id_bank_debits_id_fk" FOREIGN KEY ("bank_debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_pair_id_operator_postings_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."operator_postings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_rule_id_statement_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."statement_rules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_postings" ADD CONSTRAINT "operator_postings_reversal_change_id_change_requests_id_fk" FOREIGN KEY ("reversal_change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_bank_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("bank_transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_sent_by_operators_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_returns" ADD CONSTRAINT "payer_returns_bank_debit_id_bank_debits_id_fk" FOREIGN KEY ("bank_debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_links" ADD CONSTRAINT "operator_links_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_links" ADD CONSTRAINT "operator_links_created_by_operators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_merchants" ADD CONSTRAINT "operator_merchants_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_merchants" ADD CONSTRAINT "operator_merchants_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_passkeys" ADD CONSTRAINT "operator_passkeys_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_recovery_codes" ADD CONSTRAINT "operator_recovery_codes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_requests" ADD CONSTRAINT "operator_requests_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_roles" ADD CONSTRAINT "operator_roles_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_roles" ADD CONSTRAINT "operator_roles_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "public"."roles"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_totp" ADD CONSTRAINT "operator_totp_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listed_payers" ADD CONSTRAINT "listed_payers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_rules" ADD CONSTRAINT "payer_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payer_rules" ADD CONSTRAINT "payer_rules_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_aftermaths" ADD CONSTRAINT "payout_aftermaths_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_claimed_by_operators_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_attached_by_operators_id_fk" FOREIGN KEY ("attached_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_ended_by_change_requests_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_recovery_id_recoveries_id_fk" FOREIGN KEY ("recovery_id") REFERENCES "public"."recoveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_entered_by_operators_id_fk" FOREIGN KEY ("entered_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_explained_by_change_requests_id_fk" FOREIGN KEY ("explained_by") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_addresses" ADD CONSTRAINT "event_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_addresses" ADD CONSTRAINT "event_addresses_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_attempts" ADD CONSTRAINT "event_attempts_delivery_id_event_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."event_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_deliveries" ADD CONSTRAINT "event_deliveries_event_id_platform_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."platform_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_events" ADD CONSTRAINT "platform_events_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_accounts" ADD CONSTRAINT "pool_accounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_accounts" ADD CONSTRAINT "pool_accounts_pool_id_pools_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."pools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_channels" ADD CONSTRAINT "pool_channels_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_channels" ADD CONSTRAINT "pool_channels_pool_id_pools_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."pools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_bank_debit_id_bank_debits_id_fk" FOREIGN KEY ("bank_debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_credits" ADD CONSTRAINT "held_credits_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_credits" ADD CONSTRAINT "held_credits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listed_beneficiaries" ADD CONSTRAINT "listed_beneficiaries_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_rules" ADD CONSTRAINT "review_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routing_rules" ADD CONSTRAINT "routing_rules_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_addresses_id_event_addresses_id_fk" FOREIGN KEY ("addresses_id") REFERENCES "public"."event_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_plans" ADD CONSTRAINT "settlement_plans_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendars"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_plans" ADD CONSTRAINT "settlement_plans_account_id_settlement_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."settlement_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_plans" ADD CONSTRAINT "settlement_plans_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_plans" ADD CONSTRAINT "settlement_plans_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_plans" ADD CONSTRAINT "settlement_plans_approved_by_operators_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_plans" ADD CONSTRAINT "settlement_plans_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_runs" ADD CONSTRAINT "settlement_runs_withdrawal_id_settlements_withdrawal_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."settlements"("withdrawal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_runs" ADD CONSTRAINT "settlement_runs_plan" FOREIGN KEY ("plan_id","merchant_id","currency_code") REFERENCES "public"."settlement_plans"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_accounts" ADD CONSTRAINT "settlement_accounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_account_id_settlement_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."settlement_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_debit_id_bank_debits_id_fk" FOREIGN KEY ("debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_rule_id_statement_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."statement_rules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_mappings" ADD CONSTRAINT "statement_mappings_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_parts" ADD CONSTRAINT "statement_parts_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_rules" ADD CONSTRAINT "statement_rules_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_rules" ADD CONSTRAINT "statement_rules_other_account_id_bank_accounts_id_fk" FOREIGN KEY ("other_account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_days" ADD CONSTRAINT "withdrawal_days_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_claimed_by_operators_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_commission_rate" FOREIGN KEY ("commission_rate_id","merchant_id","currency_code") REFERENCES "public"."commission_rates"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_fee_schedule" FOREIGN KEY ("fee_schedule_id","merchant_id","currency_code") REFERENCES "public"."fee_schedules"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_keys_newest" ON "agent_keys" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "agent_nonces_age" ON "agent_nonces" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "agent_devices_newest" ON "agent_devices" USING btree ("first_seen_at","id");--> statement-breakpoint
CREATE INDEX "agent_texts_newest" ON "agent_texts" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "agent_texts_open" ON "agent_texts" USING btree ("received_at","id") WHERE "agent_texts"."state" = 'UNREAD';--> statement-breakpoint
CREATE UNIQUE INDEX "text_patterns_active" ON "text_patterns" USING btree ("name") WHERE "text_patterns"."active";--> statement-breakpoint
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
CREATE INDEX "bank_debits_alike" ON "bank_debits" USING btree ("account_id","amount","bank_time");--> statement-breakpoint
CREATE INDEX "bank_debits_newest" ON "bank_debits" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "bank_debits_of_account" ON "bank_debits" USING btree ("account_id","received_at","id");--> statement-breakpoint
CREATE INDEX "bank_transfer_changes_unnumbered" ON "bank_transfer_changes" USING btree ("position") WHERE "bank_transfer_changes"."seq" is null;--> statement-breakpoint
CREATE INDEX "bank_transfers_unmatched" ON "bank_transfers" USING btree ("received_at","id") WHERE "bank_transfers"."unmatched_reason" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_newest" ON "bank_transfers" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_by_bank_time" ON "bank_transfers" USING btree ("bank_time","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_of_account" ON "bank_transfers" USING btree ("account_id","bank_time","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_alike" ON "bank_transfers" USING btree ("account_id","amount","bank_time");--> statement-breakpoint
CREATE INDEX "bank_transfers_ways" ON "bank_transfers" USING btree ("account_id","amount",("source" || case when "bank_reference" is null then ' ?' else '' end),"bank_time");--> statement-breakpoint
CREATE INDEX "bank_transfers_source" ON "bank_transfers" USING btree ("source","received_at");--> statement-breakpoint
CREATE INDEX "transfer_allocations_transfer" ON "transfer_allocations" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "transfer_allocations_of_deposit" ON "transfer_allocations" USING btree ("deposit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_once" ON "transfer_allocations" USING btree ("transfer_id") WHERE "transfer_allocations"."released_at" is null and "transfer_allocations"."amount" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_deposit" ON "transfer_allocations" USING btree ("deposit_id") WHERE "transfer_allocations"."released_at" is null and "transfer_allocations"."amount" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_part" ON "transfer_allocations" USING btree ("transfer_id","deposit_id") WHERE "transfer_allocations"."released_at" is null;--> statement-breakpoint
CREATE INDEX "billing_statements_newest" ON "billing_statements" USING btree ("month","id");--> statement-breakpoint
CREATE INDEX "book_findings_open" ON "book_findings" USING btree ("first_seen_at","id") WHERE "book_findings"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "book_proofs_newest" ON "book_proofs" USING btree ("kind","finished_at");--> statement-breakpoint
CREATE INDEX "ledger_book_lines_account" ON "ledger_book_lines" USING btree ("account","currency_code","last_version");--> statement-breakpoint
CREATE INDEX "ledger_seals_late" ON "ledger_seals" USING btree ("seq") WHERE timezone('UTC', "ledger_seals"."sealed_at") - timezone('UTC', uuid_extract_timestamp("ledger_seals"."transfer_id")) > interval '30 minutes';--> statement-breakpoint
CREATE INDEX "notification_logs_of_merchant" ON "notification_logs" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "notification_logs_unsettled" ON "notification_logs" USING btree ("status","id") WHERE "notification_logs"."status" <> 'SUCCESS';--> statement-breakpoint
CREATE INDEX "notification_logs_failed_of_merchant" ON "notification_logs" USING btree ("merchant_id","id") WHERE "notification_logs"."status" = 'FAILED';--> statement-breakpoint
CREATE INDEX "notification_logs_waiting" ON "notification_logs" USING btree ("next_attempt_at") WHERE "notification_logs"."status" = 'WAITING_RETRY';--> statement-breakpoint
CREATE INDEX "notification_logs_without_key" ON "notification_logs" USING btree ("merchant_id") WHERE "notification_logs"."waits_for_key";--> statement-breakpoint
CREATE INDEX "notification_logs_sending" ON "notification_logs" USING btree ("lease_until") WHERE "notification_logs"."status" = 'SENDING';--> statement-breakpoint
CREATE UNIQUE INDEX "cashier_sessions_of_user" ON "cashier_sessions" USING btree ("merchant_id","user_id") WHERE "cashier_sessions"."status" = 'PENDING' and "cashier_sessions"."user_id" <> '';--> statement-breakpoint
CREATE INDEX "cashier_sessions_newest" ON "cashier_sessions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "cashier_sessions_of_merchant" ON "cashier_sessions" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cashier_sessions_by_number" ON "cashier_sessions" USING btree ("merchant_order_no");--> statement-breakpoint
CREATE INDEX "cashier_sessions_by_user" ON "cashier_sessions" USING btree ("user_id","created_at","id") WHERE "cashier_sessions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "cashier_sessions_pending" ON "cashier_sessions" USING btree ("expire_at","id") WHERE "cashier_sessions"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "payment_claims_waiting" ON "payment_claims" USING btree ("at","id") WHERE "payment_claims"."closed_at" is null and "payment_claims"."paid_at" is null;--> statement-breakpoint
CREATE INDEX "payment_claims_newest" ON "payment_claims" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "payment_claims_of_merchant" ON "payment_claims" USING btree ("merchant_id","at","id");--> statement-breakpoint
CREATE INDEX "payment_claims_reference" ON "payment_claims" USING btree ("reference_key");--> statement-breakpoint
CREATE INDEX "change_requests_newest" ON "change_requests" USING btree ("proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_open" ON "change_requests" USING btree ("proposed_at","id") WHERE "change_requests"."status" = 'PROPOSED';--> statement-breakpoint
CREATE INDEX "change_requests_subject" ON "change_requests" USING btree ("subject_kind","subject_id","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_kind" ON "change_requests" USING btree ("kind","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_merchant" ON "change_requests" USING btree ("merchant_id","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_proposer" ON "change_requests" USING btree ("proposed_by","proposed_at","id");--> statement-breakpoint
CREATE INDEX "channel_mapping_trials_of_version" ON "channel_mapping_trials" USING btree ("channel_id","version","id");--> statement-breakpoint
CREATE INDEX "channel_messages_reference" ON "channel_messages" USING btree ("reference","id");--> statement-breakpoint
CREATE INDEX "channel_messages_received" ON "channel_messages" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "channels_by_name" ON "channels" USING btree ("name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "channels_bound_account" ON "channels" USING btree ("bound_account_id") WHERE "channels"."bound_account_id" is not null;--> statement-breakpoint
CREATE INDEX "close_items_open" ON "close_items" USING btree ("opened_at","id") WHERE "close_items"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "day_closes_newest" ON "day_closes" USING btree ("day","id");--> statement-breakpoint
CREATE INDEX "day_closes_open" ON "day_closes" USING btree ("day","id") WHERE "day_closes"."status" = 'PROPOSED';--> statement-breakpoint
CREATE INDEX "commissions_newest" ON "commissions" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "commissions_of_merchant" ON "commissions" USING btree ("merchant_id","at","id");--> statement-breakpoint
CREATE INDEX "commissions_of_reseller" ON "commissions" USING btree ("reseller_id","at","id");--> statement-breakpoint
CREATE INDEX "commissions_of_order" ON "commissions" USING btree ("order_id") WHERE "commissions"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "commissions_reversed" ON "commissions" USING btree ("at","id") WHERE "commissions"."reversed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_attempts_one" ON "deposit_attempts" USING btree ("deposit_id") WHERE "deposit_attempts"."status" <> 'REFUSED';--> statement-breakpoint
CREATE INDEX "deposit_attempts_of_channel" ON "deposit_attempts" USING btree ("channel_id","sent_at");--> statement-breakpoint
CREATE INDEX "deposit_attempts_counted" ON "deposit_attempts" USING btree ("channel_id","counted_day") WHERE "deposit_attempts"."counted_day" is not null;--> statement-breakpoint
CREATE INDEX "deposit_attempts_doubted" ON "deposit_attempts" USING btree ("doubted_at","id") WHERE "deposit_attempts"."doubted_at" is not null;--> statement-breakpoint
CREATE INDEX "deposit_attempts_recheck" ON "deposit_attempts" USING btree ("recheck_at","id") WHERE "deposit_attempts"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_newest" ON "deposit_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_merchant" ON "deposit_orders" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_account" ON "deposit_orders" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_paid_by_user" ON "deposit_orders" USING btree ("user_id","merchant_id","completed_at","id") WHERE "deposit_orders"."status" = 'COMPLETED' and "deposit_orders"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_of_user" ON "deposit_orders" USING btree ("user_id","created_at","id") WHERE "deposit_orders"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_of_payer" ON "deposit_orders" USING btree ("payer_account_last4","created_at","id") WHERE "deposit_orders"."payer_account_last4" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_by_email" ON "deposit_orders" USING btree ("payer_email_index","created_at") WHERE "deposit_orders"."payer_email_index" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_by_mobile" ON "deposit_orders" USING btree ("payer_mobile_index","created_at") WHERE "deposit_orders"."payer_mobile_index" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_by_payer_account" ON "deposit_orders" USING btree ("payer_account_index","created_at") WHERE "deposit_orders"."payer_account_index" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_by_amount" ON "deposit_orders" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_by_completion" ON "deposit_orders" USING btree ("completed_at","id") WHERE "deposit_orders"."completed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_orders_of_session" ON "deposit_orders" USING btree ("cashier_session_id") WHERE "deposit_orders"."cashier_session_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_unsettled" ON "deposit_orders" USING btree ("status","created_at","id") WHERE "deposit_orders"."status" not in ('COMPLETED', 'EXPIRED');--> statement-breakpoint
CREATE INDEX "deposit_orders_pending_of_merchant" ON "deposit_orders" USING btree ("merchant_id","user_id") WHERE "deposit_orders"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "deposit_orders_pending_of_account" ON "deposit_orders" USING btree ("account_id") WHERE "deposit_orders"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "deposit_orders_open" ON "deposit_orders" USING btree ("expire_at") WHERE "deposit_orders"."status" in ('PENDING', 'MATCHED');--> statement-breakpoint
CREATE INDEX "deposit_orders_of_channel" ON "deposit_orders" USING btree ("channel_id","created_at","id") WHERE "deposit_orders"."channel_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_shares_of_channel" ON "deposit_orders" USING btree ("channel_id") WHERE "deposit_orders"."quota_day" is not null and "deposit_orders"."account_id" is null;--> statement-breakpoint
CREATE INDEX "late_receipts_waiting" ON "late_receipts" USING btree ("at","attempt_id") WHERE "late_receipts"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "late_receipts_by_time" ON "late_receipts" USING btree ("at","attempt_id");--> statement-breakpoint
CREATE INDEX "late_receipts_of_merchant" ON "late_receipts" USING btree ("merchant_id","at","attempt_id");--> statement-breakpoint
CREATE INDEX "health_changes_of_account" ON "health_changes" USING btree ("account_id","cause","at","position") WHERE "health_changes"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "health_changes_of_channel" ON "health_changes" USING btree ("channel_id","cause","at","position") WHERE "health_changes"."channel_id" is not null;--> statement-breakpoint
CREATE INDEX "outages_newest" ON "outages" USING btree ("begins_at","id");--> statement-breakpoint
CREATE INDEX "outages_of_bank" ON "outages" USING btree ("bank_code");--> statement-breakpoint
CREATE INDEX "outages_of_channel" ON "outages" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_value_day" ON "ledger_entries" USING btree ("account","value_day") WHERE "ledger_entries"."value_day" is not null;--> statement-breakpoint
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
CREATE INDEX "operator_postings_newest" ON "operator_postings" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "operator_postings_kind" ON "operator_postings" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "operator_postings_transfer" ON "operator_postings" USING btree ("bank_transfer_id");--> statement-breakpoint
CREATE INDEX "operator_postings_debit" ON "operator_postings" USING btree ("bank_debit_id");--> statement-breakpoint
CREATE INDEX "operator_postings_late" ON "operator_postings" USING btree ("deposit_attempt_id") WHERE "operator_postings"."deposit_attempt_id" is not null;--> statement-breakpoint
CREATE INDEX "operator_postings_deposit" ON "operator_postings" USING btree ("deposit_id");--> statement-breakpoint
CREATE INDEX "operator_postings_of_merchant" ON "operator_postings" USING btree ("merchant_id","at","id");--> statement-breakpoint
CREATE INDEX "operator_postings_rule" ON "operator_postings" USING btree ("rule_id","at") WHERE "operator_postings"."rule_id" is not null;--> statement-breakpoint
CREATE INDEX "operator_postings_reversed" ON "operator_postings" USING btree ("reversed_at") WHERE "operator_postings"."reversed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_postings_returned" ON "operator_postings" USING btree ("withdrawal_id") WHERE "operator_postings"."withdrawal_id" is not null and "operator_postings"."reversed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_postings_opened" ON "operator_postings" USING btree (coalesce("account_id", "channel_id"),"currency_code") WHERE "operator_postings"."kind" = 'ACCOUNT_OPENED' and "operator_postings"."reversed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_postings_pair" ON "operator_postings" USING btree ("pair_id") WHERE "operator_postings"."pair_id" is not null and "operator_postings"."reversed_at" is null;--> statement-breakpoint
CREATE INDEX "payer_returns_newest" ON "payer_returns" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "payer_returns_ended" ON "payer_returns" USING btree ("ended_at") WHERE "payer_returns"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "payer_returns_open" ON "payer_returns" USING btree ("created_at","id") WHERE "payer_returns"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "payer_returns_transfer" ON "payer_returns" USING btree ("bank_transfer_id");--> statement-breakpoint
CREATE INDEX "payer_returns_deposit" ON "payer_returns" USING btree ("deposit_id");--> statement-breakpoint
CREATE INDEX "payer_returns_of_merchant" ON "payer_returns" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payer_returns_debit" ON "payer_returns" USING btree ("bank_debit_id") WHERE "payer_returns"."bank_debit_id" is not null;--> statement-breakpoint
CREATE INDEX "api_tokens_operator" ON "api_tokens" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "login_throttles_last" ON "login_throttles" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "operator_links_newest" ON "operator_links" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "operator_links_operator" ON "operator_links" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_passkeys_operator" ON "operator_passkeys" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_recovery_codes_operator" ON "operator_recovery_codes" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_roles_role" ON "operator_roles" USING btree ("role");--> statement-breakpoint
CREATE INDEX "operator_sessions_operator" ON "operator_sessions" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_operator" ON "passkey_challenges" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","position");--> statement-breakpoint
CREATE INDEX "order_events_unnumbered" ON "order_events" USING btree ("position") WHERE "order_events"."seq" is null;--> statement-breakpoint
CREATE INDEX "outbox_rank_order" ON "outbox" USING btree ("rank","id") WHERE "outbox"."parked_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_starts" ON "outbox" USING btree ("key") WHERE "outbox"."start_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_parked" ON "outbox" USING btree ("id") WHERE "outbox"."parked_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "listed_payers_once" ON "listed_payers" USING btree ("key","trait",coalesce("bank_code", ''),coalesce("merchant_id", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "listed_payers"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "listed_payers_newest" ON "listed_payers" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_one" ON "payout_attempts" USING btree ("withdrawal_id") WHERE "payout_attempts"."status" not in ('REFUSED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_bank_reference" ON "payout_attempts" USING btree ("account_id",bank_reference_key("bank_reference")) WHERE "payout_attempts"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_recheck" ON "payout_attempts" USING btree ("recheck_at","id") WHERE "payout_attempts"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_doubted" ON "payout_attempts" USING btree ("doubted_at","id") WHERE "payout_attempts"."doubted_at" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_of_channel" ON "payout_attempts" USING btree ("channel_id","sent_at") WHERE "payout_attempts"."channel_id" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_by_hand" ON "payout_attempts" USING btree ("account_id","finished_at") WHERE "payout_attempts"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_paid_by_hand" ON "payout_attempts" USING btree ("finished_at","id") WHERE "payout_attempts"."method" = 'MANUAL' and "payout_attempts"."status" = 'COMPLETED';--> statement-breakpoint
CREATE INDEX "payout_attempts_open" ON "payout_attempts" USING btree ("created_at","id") WHERE "payout_attempts"."status" in ('PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING');--> statement-breakpoint
CREATE UNIQUE INDEX "recoveries_open" ON "recoveries" USING btree (("ended_at" is null)) WHERE "recoveries"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "recovery_findings_newest" ON "recovery_findings" USING btree ("recovery_id","found_at","id");--> statement-breakpoint
CREATE INDEX "recovery_findings_withdrawal" ON "recovery_findings" USING btree ("withdrawal_id") WHERE "recovery_findings"."withdrawal_id" is not null;--> statement-breakpoint
CREATE INDEX "event_deliveries_unsettled" ON "event_deliveries" USING btree ("status","id") WHERE "event_deliveries"."status" <> 'SUCCESS';--> statement-breakpoint
CREATE INDEX "platform_events_of_merchant" ON "platform_events" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "pool_accounts_of_pool" ON "pool_accounts" USING btree ("pool_id");--> statement-breakpoint
CREATE INDEX "pool_channels_of_pool" ON "pool_channels" USING btree ("pool_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_recalls_debit" ON "deposit_recalls" USING btree ("bank_debit_id") WHERE "deposit_recalls"."bank_debit_id" is not null;--> statement-breakpoint
CREATE INDEX "held_credits_due" ON "held_credits" USING btree ("release_at","deposit_id") WHERE "held_credits"."released_at" is null and "held_credits"."recalled_at" is null;--> statement-breakpoint
CREATE INDEX "held_credits_of_balance" ON "held_credits" USING btree ("merchant_id","currency_code","release_at","deposit_id") WHERE "held_credits"."released_at" is null and "held_credits"."recalled_at" is null;--> statement-breakpoint
CREATE INDEX "listed_beneficiaries_by_key" ON "listed_beneficiaries" USING btree ("account_key","bank_code") WHERE "listed_beneficiaries"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "listed_beneficiaries_newest" ON "listed_beneficiaries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "secret_links_of_merchant" ON "secret_links" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "settlement_runs_newest" ON "settlement_runs" USING btree ("ran_at","id");--> statement-breakpoint
CREATE INDEX "settlement_runs_of_merchant" ON "settlement_runs" USING btree ("merchant_id","ran_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_accounts_number" ON "settlement_accounts" USING btree ("merchant_id","currency_code","bank_code","account_no") WHERE "settlement_accounts"."disabled_at" is null;--> statement-breakpoint
CREATE INDEX "settlement_accounts_newest" ON "settlement_accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "settlement_accounts_of_merchant" ON "settlement_accounts" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "settlements_account" ON "settlements" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "statement_lines_known" ON "statement_lines" USING btree ("account_id","line_key") WHERE "statement_lines"."line_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_transfer" ON "statement_lines" USING btree ("transfer_id","statement_id") WHERE "statement_lines"."transfer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_debit" ON "statement_lines" USING btree ("debit_id","statement_id") WHERE "statement_lines"."debit_id" is not null;--> statement-breakpoint
CREATE INDEX "statement_lines_reference" ON "statement_lines" USING btree ("statement_id",bank_reference_key("bank_reference")) WHERE "statement_lines"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "statement_lines_open" ON "statement_lines" USING btree ("statement_id","line") WHERE "statement_lines"."state" = 'NEW';--> statement-breakpoint
CREATE UNIQUE INDEX "statement_rules_active" ON "statement_rules" USING btree ("name") WHERE "statement_rules"."active";--> statement-breakpoint
CREATE INDEX "statements_newest" ON "statements" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "statements_of_account" ON "statements" USING btree ("account_id","closing_day");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_newest" ON "withdrawal_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_merchant" ON "withdrawal_orders" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_by_amount" ON "withdrawal_orders" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "withdrawal_orders_by_completion" ON "withdrawal_orders" USING btree ("completed_at","id") WHERE "withdrawal_orders"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_beneficiary" ON "withdrawal_orders" USING btree ("beneficiary_account","beneficiary_bank_code","created_at","id") WHERE "withdrawal_orders"."beneficiary_account_index" is null;--> statement-breakpoint
CREATE INDEX "withdrawal_orders_of_indexed_beneficiary" ON "withdrawal_orders" USING btree ("beneficiary_account_index","beneficiary_bank_code","created_at","id") WHERE "withdrawal_orders"."beneficiary_account_index" is not null;--> statement-breakpoint
CREATE INDEX "withdrawal_orders_bank_reference" ON "withdrawal_orders" USING btree (bank_reference_key("bank_reference"),"created_at","id") WHERE "withdrawal_orders"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "withdrawal_orders_unsettled" ON "withdrawal_orders" USING btree ("status","created_at","id") WHERE "withdrawal_orders"."status" <> 'COMPLETED';--> statement-breakpoint
CREATE INDEX "withdrawal_orders_interventions" ON "withdrawal_orders" USING btree ("created_at","id") WHERE "withdrawal_orders"."needs_manual_intervention";--> statement-breakpoint
CREATE INDEX "withdrawal_orders_settlements" ON "withdrawal_orders" USING btree ("created_at","id") WHERE "withdrawal_orders"."origin" = 'SETTLEMENT';
--> statement-breakpoint
-- A claim moves the due time of an outbox row, which no index has. With room for the new version in the row's own block,
-- no index gets a new entry.
alter table outbox set (fillfactor = 50);
--> statement-breakpoint
-- Room for the new versions of the rows, which the sealer changes each minute.
alter table ledger_sums set (fillfactor = 50);
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
  agent_key_id uuid, credited_since timestamptz,
  payer_account_index text
);
--> statement-breakpoint
create sequence alert_numbers;
--> statement-breakpoint
-- The built-in roles (domain/permissions.ts).
insert into roles (name, permissions, approve_limits, built_in) values
  ('view', '{VIEW}', null, true),
  ('support', '{VIEW,SUPPORT}', null, true),
  ('reconcile', '{VIEW,RECONCILE}', null, true),
  ('approve', '{VIEW,APPROVE}', null, true),
  ('treasurer', '{VIEW,TREASURER}', null, true),
  ('configure', '{VIEW,CONFIGURE}', null, true),
  ('admin', '{VIEW,ADMIN}', null, true),
  ('read_personal', '{VIEW,READ_PERSONAL}', null, true);
--> statement-breakpoint
-- The audit log's chain begins here.
insert into audit_head (id, seq, hash) values (1, 0, '');
--> statement-breakpoint
insert into platform (id, identity, epoch) values (1, gen_random_uuid(), 0);
--> statement-breakpoint
insert into platform_marker (id, marker) values (1, 0);

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
CREATE TABLE "bank_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"bank_branch" text,
	"account_no" text NOT NULL,
	"account_holder" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"bank_balance" numeric(20, 4),
	"bank_balance_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_accounts_number" UNIQUE("bank_code","account_no"),
	CONSTRAINT "bank_accounts_mode" CHECK ("bank_accounts"."mode" in ('REMARK')),
	CONSTRAINT "bank_accounts_status" CHECK ("bank_accounts"."status" in ('ACTIVE', 'PAUSED', 'DISABLED'))
);
--> statement-breakpoint
CREATE TABLE "bank_transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"bank_reference" text,
	"dedupe_key" text NOT NULL,
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
CREATE TABLE "deposit_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_no" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text NOT NULL,
	"order_type" text NOT NULL,
	"account_id" uuid NOT NULL,
	"requested_amount" numeric(20, 4) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"actual_amount" numeric(20, 4) NOT NULL,
	"currency_code" char(3) NOT NULL,
	"expected_remark" text,
	"status" text NOT NULL,
	"expire_at" timestamp (3) with time zone NOT NULL,
	"matched_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"callback_url" text,
	"extra_data" text,
	"user_id" text,
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
	CONSTRAINT "deposit_orders_merchant_number" UNIQUE("merchant_id","merchant_order_no"),
	CONSTRAINT "deposit_orders_remark" UNIQUE("account_id","expected_remark"),
	CONSTRAINT "deposit_orders_type" CHECK ("deposit_orders"."order_type" in ('DIRECT', 'CASHIER')),
	CONSTRAINT "deposit_orders_status" CHECK ("deposit_orders"."status" in ('PENDING', 'MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')),
	CONSTRAINT "deposit_orders_amounts" CHECK ("deposit_orders"."requested_amount" > 0 and "deposit_orders"."amount" > 0 and "deposit_orders"."fee" >= 0 and "deposit_orders"."actual_amount" >= 0),
	CONSTRAINT "deposit_orders_completed" CHECK (("deposit_orders"."status" = 'COMPLETED') = ("deposit_orders"."completed_at" is not null)
        and ("deposit_orders"."status" = 'COMPLETED') = ("deposit_orders"."actual_amount" > 0)
        and ("deposit_orders"."completed_at" is null or ("deposit_orders"."matched_at" is not null and "deposit_orders"."fee" < "deposit_orders"."actual_amount")))
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
	CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" ~ '^(suspense|fee_income|channel_cost|loss|(bank|channel|merchant_receivable):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$'),
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
	"version" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_balances_currency" UNIQUE("merchant_id","currency_code"),
	CONSTRAINT "merchant_balances_never_negative" CHECK ("merchant_balances"."available" >= 0 and "merchant_balances"."frozen" >= 0)
);
--> statement-breakpoint
CREATE TABLE "merchant_currencies" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"enabled" boolean NOT NULL,
	"deposit_fee_percent" numeric(7, 4) NOT NULL,
	"deposit_fee_fixed" numeric(20, 4) NOT NULL,
	CONSTRAINT "merchant_currencies_merchant_id_currency_code_pk" PRIMARY KEY("merchant_id","currency_code"),
	CONSTRAINT "merchant_currencies_fee" CHECK ("merchant_currencies"."deposit_fee_percent" >= 0 and "merchant_currencies"."deposit_fee_percent" < 100 and "merchant_currencies"."deposit_fee_fixed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "merchant_order_numbers" (
	"merchant_id" uuid NOT NULL,
	"merchant_order_no" text NOT NULL,
	"noun" text NOT NULL,
	"order_id" uuid NOT NULL,
	CONSTRAINT "merchant_order_numbers_merchant_id_merchant_order_no_pk" PRIMARY KEY("merchant_id","merchant_order_no")
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_code" text NOT NULL,
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
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchants_merchant_code_unique" UNIQUE("merchant_code"),
	CONSTRAINT "merchants_deposit_expire" CHECK ("merchants"."deposit_expire_minutes" between 1 and 1440),
	CONSTRAINT "merchants_callback_timeout" CHECK ("merchants"."callback_timeout_seconds" between 1 and 60)
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
CREATE TABLE "operator_actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"detail" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operators_login_unique" UNIQUE("login")
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
ALTER TABLE "agent_key_accounts" ADD CONSTRAINT "agent_key_accounts_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_key_accounts" ADD CONSTRAINT "agent_key_accounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_nonces" ADD CONSTRAINT "agent_nonces_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_notification_id_notification_logs_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notification_logs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_balances" ADD CONSTRAINT "merchant_balances_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_order_numbers" ADD CONSTRAINT "merchant_order_numbers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_logs" ADD CONSTRAINT "notification_logs_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_logs" ADD CONSTRAINT "notification_logs_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_actions" ADD CONSTRAINT "operator_actions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_allocations" ADD CONSTRAINT "transfer_allocations_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_nonces_age" ON "agent_nonces" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "api_keys_merchant" ON "api_keys" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "bank_accounts_routable" ON "bank_accounts" USING btree ("currency_code") WHERE "bank_accounts"."status" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "bank_transfers_unmatched" ON "bank_transfers" USING btree ("received_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "bank_transfers"."unmatched_reason" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_alike" ON "bank_transfers" USING btree ("account_id","amount","bank_time");--> statement-breakpoint
CREATE INDEX "bank_transfers_source" ON "bank_transfers" USING btree ("source","received_at");--> statement-breakpoint
CREATE INDEX "deposit_orders_by_remark" ON "deposit_orders" USING btree ("expected_remark");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_merchant" ON "deposit_orders" USING btree ("merchant_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "deposit_orders_newest" ON "deposit_orders" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "deposit_orders_open" ON "deposit_orders" USING btree ("expire_at") WHERE "deposit_orders"."status" in ('PENDING', 'MATCHED');--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_chain" ON "ledger_entries" USING btree ("account","currency_code","version");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","currency_code","transfer_id");--> statement-breakpoint
CREATE INDEX "ledger_transfers_order" ON "ledger_transfers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "notification_logs_sending" ON "notification_logs" USING btree ("lease_until") WHERE "notification_logs"."status" = 'SENDING';--> statement-breakpoint
CREATE INDEX "operator_actions_subject" ON "operator_actions" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","position");--> statement-breakpoint
CREATE INDEX "order_events_unnumbered" ON "order_events" USING btree ("position") WHERE "order_events"."seq" is null;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at") WHERE "outbox"."parked_at" is null;--> statement-breakpoint
CREATE INDEX "transfer_allocations_transfer" ON "transfer_allocations" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "transfer_allocations_of_deposit" ON "transfer_allocations" USING btree ("deposit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_once" ON "transfer_allocations" USING btree ("transfer_id") WHERE "transfer_allocations"."released_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_allocations_deposit" ON "transfer_allocations" USING btree ("deposit_id") WHERE "transfer_allocations"."released_at" is null;
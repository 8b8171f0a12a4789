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
	"failure_reported_at" timestamp (3) with time zone,
	"success_reported_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
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
	CONSTRAINT "payout_attempts_finished" CHECK (("payout_attempts"."status" in ('SUCCEEDED', 'REFUSED', 'FAILED', 'COMPLETED', 'CANCELLED')) = ("payout_attempts"."finished_at" is not null)),
	CONSTRAINT "payout_attempts_claimed" CHECK (("payout_attempts"."status" in ('CLAIMED', 'SENDING')) <= ("payout_attempts"."claimed_by" is not null and "payout_attempts"."account_id" is not null)
        and ("payout_attempts"."status" = 'SENDING') <= ("payout_attempts"."sending_at" is not null)
        and ("payout_attempts"."status" = 'COMPLETED') <= ("payout_attempts"."bank_reference" is not null and "payout_attempts"."account_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "channel_balances" ADD CONSTRAINT "channel_balances_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_banks" ADD CONSTRAINT "channel_banks_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_claimed_by_operators_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_messages_reference" ON "channel_messages" USING btree ("reference","id");--> statement-breakpoint
CREATE INDEX "channel_messages_received" ON "channel_messages" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "channels_by_name" ON "channels" USING btree ("name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_one" ON "payout_attempts" USING btree ("withdrawal_id") WHERE "payout_attempts"."status" not in ('REFUSED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_bank_reference" ON "payout_attempts" USING btree ("account_id","bank_reference") WHERE "payout_attempts"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "payout_attempts_open" ON "payout_attempts" USING btree ("created_at","id") WHERE "payout_attempts"."status" in ('PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING');
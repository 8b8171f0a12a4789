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
	CONSTRAINT "statement_lines_statement_id_line_pk" PRIMARY KEY("statement_id","line"),
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
	"through_line" integer NOT NULL,
	"opening_balance" numeric(20, 4),
	"opening_day" date,
	"closing_balance" numeric(20, 4),
	"closing_day" date,
	"problem" text,
	"uploaded_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"imported_by" text,
	"imported_at" timestamp (3) with time zone,
	CONSTRAINT "statements_format" CHECK ("statements"."format" in ('CSV', 'CAMT053', 'MT940')),
	CONSTRAINT "statements_status" CHECK ("statements"."status" in ('UPLOADING', 'READ', 'IMPORTING', 'IMPORTED', 'DROPPED')),
	CONSTRAINT "statements_mapping" CHECK (("statements"."format" = 'CSV') = ("statements"."mapping" is not null)),
	CONSTRAINT "statements_imported" CHECK (("statements"."status" in ('IMPORTING', 'IMPORTED')) = ("statements"."imported_by" is not null)
        and ("statements"."status" = 'IMPORTED') = ("statements"."imported_at" is not null)
        and ("statements"."status" not in ('IMPORTING', 'IMPORTED') or "statements"."problem" is null))
);
--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;
--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "value_day" date;
--> statement-breakpoint
ALTER TABLE "agent_devices" ADD CONSTRAINT "agent_devices_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_device_id_agent_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."agent_devices"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_pattern_id_text_patterns_id_fk" FOREIGN KEY ("pattern_id") REFERENCES "public"."text_patterns"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "agent_texts" ADD CONSTRAINT "agent_texts_debit_id_bank_debits_id_fk" FOREIGN KEY ("debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "close_items" ADD CONSTRAINT "close_items_close_id_day_closes_id_fk" FOREIGN KEY ("close_id") REFERENCES "public"."day_closes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "close_items" ADD CONSTRAINT "close_items_owner_id_operators_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "day_closes" ADD CONSTRAINT "day_closes_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "day_closes" ADD CONSTRAINT "day_closes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_debit_id_bank_debits_id_fk" FOREIGN KEY ("debit_id") REFERENCES "public"."bank_debits"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_mappings" ADD CONSTRAINT "statement_mappings_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_parts" ADD CONSTRAINT "statement_parts_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "agent_devices_newest" ON "agent_devices" USING btree ("first_seen_at","id");
--> statement-breakpoint
CREATE INDEX "agent_texts_newest" ON "agent_texts" USING btree ("received_at","id");
--> statement-breakpoint
CREATE INDEX "agent_texts_open" ON "agent_texts" USING btree ("received_at","id") WHERE "agent_texts"."state" = 'UNREAD';
--> statement-breakpoint
CREATE UNIQUE INDEX "text_patterns_active" ON "text_patterns" USING btree ("name") WHERE "text_patterns"."active";
--> statement-breakpoint
CREATE INDEX "close_items_open" ON "close_items" USING btree ("opened_at","id") WHERE "close_items"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "day_closes_newest" ON "day_closes" USING btree ("day","id");
--> statement-breakpoint
CREATE INDEX "day_closes_open" ON "day_closes" USING btree ("day","id") WHERE "day_closes"."status" = 'PROPOSED';
--> statement-breakpoint
CREATE INDEX "statement_lines_known" ON "statement_lines" USING btree ("account_id","line_key") WHERE "statement_lines"."line_key" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_transfer" ON "statement_lines" USING btree ("transfer_id","statement_id") WHERE "statement_lines"."transfer_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_debit" ON "statement_lines" USING btree ("debit_id","statement_id") WHERE "statement_lines"."debit_id" is not null;
--> statement-breakpoint
CREATE INDEX "statement_lines_reference" ON "statement_lines" USING btree ("statement_id",bank_reference_key("bank_reference")) WHERE "statement_lines"."bank_reference" is not null;
--> statement-breakpoint
CREATE INDEX "statement_lines_open" ON "statement_lines" USING btree ("statement_id","line") WHERE "statement_lines"."state" = 'NEW';
--> statement-breakpoint
CREATE INDEX "statements_newest" ON "statements" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "statements_of_account" ON "statements" USING btree ("account_id","closing_day");
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_value_day" CHECK ("ledger_entries"."value_day" is null or "ledger_entries"."account" like 'bank:%' or "ledger_entries"."account" like 'channel:%') NOT VALID;

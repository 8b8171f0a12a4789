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
ALTER TABLE "deposit_orders" ADD COLUMN "cashier_session_id" uuid;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "cashier_denominations" numeric(20, 4)[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "cashier_custom_min" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "cashier_custom_max" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_session_expire_minutes" integer DEFAULT 15 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_name" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_logo_url" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_colour" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_return_url" text;--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_deposit_order_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_order_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_number" FOREIGN KEY ("merchant_id","merchant_order_no") REFERENCES "public"."merchant_order_numbers"("merchant_id","merchant_order_no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_claims" ADD CONSTRAINT "payment_claims_closed_by_operators_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "cashier_sessions_of_user" ON "cashier_sessions" USING btree ("merchant_id","user_id") WHERE "cashier_sessions"."status" = 'PENDING' and "cashier_sessions"."user_id" <> '';--> statement-breakpoint
CREATE INDEX "cashier_sessions_newest" ON "cashier_sessions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "cashier_sessions_of_merchant" ON "cashier_sessions" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cashier_sessions_by_number" ON "cashier_sessions" USING btree ("merchant_order_no");--> statement-breakpoint
CREATE INDEX "cashier_sessions_by_user" ON "cashier_sessions" USING btree ("user_id","created_at","id") WHERE "cashier_sessions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "cashier_sessions_pending" ON "cashier_sessions" USING btree ("expire_at","id") WHERE "cashier_sessions"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "payment_claims_open" ON "payment_claims" USING btree ("at","id") WHERE "payment_claims"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "payment_claims_reference" ON "payment_claims" USING btree ("reference_key");--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_orders_of_session" ON "deposit_orders" USING btree ("cashier_session_id") WHERE "deposit_orders"."cashier_session_id" is not null;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_cashier" CHECK ("deposit_orders"."cashier_session_id" is null or "deposit_orders"."order_type" = 'CASHIER');--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_cashier" CHECK (0 < all("merchant_currencies"."cashier_denominations")
        and ("merchant_currencies"."cashier_custom_min" is null) = ("merchant_currencies"."cashier_custom_max" is null)
        and "merchant_currencies"."cashier_custom_min" > 0 and "merchant_currencies"."cashier_custom_min" <= "merchant_currencies"."cashier_custom_max");--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_cashier_session_expire" CHECK ("merchants"."cashier_session_expire_minutes" between 1 and 1440);--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_cashier_colour" CHECK ("merchants"."cashier_colour" ~ '^#[0-9a-f]{6}$');
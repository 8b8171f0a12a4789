CREATE TABLE "pool_accounts" (
	"account_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	CONSTRAINT "pool_accounts_account_id_pool_id_pk" PRIMARY KEY("account_id","pool_id")
);--> statement-breakpoint
CREATE TABLE "pool_channels" (
	"channel_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	CONSTRAINT "pool_channels_channel_id_pool_id_pk" PRIMARY KEY("channel_id","pool_id")
);--> statement-breakpoint
CREATE TABLE "pools" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency_code" char(3) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pools_name" UNIQUE("currency_code","name"),
	CONSTRAINT "pools_of_currency" UNIQUE("id","currency_code"),
	CONSTRAINT "pools_named" CHECK ("pools"."name" <> '')
);--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "pool_id" uuid;--> statement-breakpoint
ALTER TABLE "pool_accounts" ADD CONSTRAINT "pool_accounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_accounts" ADD CONSTRAINT "pool_accounts_pool_id_pools_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."pools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_channels" ADD CONSTRAINT "pool_channels_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_channels" ADD CONSTRAINT "pool_channels_pool_id_pools_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."pools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pool_accounts_of_pool" ON "pool_accounts" USING btree ("pool_id");--> statement-breakpoint
CREATE INDEX "pool_channels_of_pool" ON "pool_channels" USING btree ("pool_id");--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD CONSTRAINT "merchant_currencies_pool" FOREIGN KEY ("pool_id","currency_code") REFERENCES "public"."pools"("id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;

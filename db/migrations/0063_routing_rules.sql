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
ALTER TABLE "deposit_orders" ADD COLUMN "routing_rules_id" uuid;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "routing_rule" smallint;--> statement-breakpoint
ALTER TABLE "routing_rules" ADD CONSTRAINT "routing_rules_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_routing_rules" FOREIGN KEY ("routing_rules_id","currency_code") REFERENCES "public"."routing_rules"("id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_routing_rule" CHECK ("deposit_orders"."routing_rule" is null or ("deposit_orders"."routing_rule" > 0 and "deposit_orders"."routing_rules_id" is not null)) NOT VALID;
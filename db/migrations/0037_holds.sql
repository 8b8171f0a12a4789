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
ALTER TABLE "deposit_recalls" DROP CONSTRAINT "deposit_recalls_amounts";--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD COLUMN "from_held" numeric(20, 4) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "hold_days" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "held_credits" ADD CONSTRAINT "held_credits_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_credits" ADD CONSTRAINT "held_credits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_credits_due" ON "held_credits" USING btree ("release_at","deposit_id") WHERE "held_credits"."released_at" is null and "held_credits"."recalled_at" is null;--> statement-breakpoint
CREATE INDEX "held_credits_of_balance" ON "held_credits" USING btree ("merchant_id","currency_code","release_at","deposit_id") WHERE "held_credits"."released_at" is null and "held_credits"."recalled_at" is null;--> statement-breakpoint
ALTER TABLE "deposit_recalls" ADD CONSTRAINT "deposit_recalls_amounts" CHECK ("deposit_recalls"."amount" > 0 and "deposit_recalls"."from_held" >= 0 and "deposit_recalls"."from_available" >= 0 and "deposit_recalls"."owed" >= 0
        and "deposit_recalls"."amount" = "deposit_recalls"."from_held" + "deposit_recalls"."from_available" + "deposit_recalls"."owed");--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_hold_days" CHECK ("merchants"."hold_days" between 0 and 90);
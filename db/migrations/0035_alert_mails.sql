CREATE TABLE "callback_hosts_seen" (
	"merchant_id" uuid NOT NULL,
	"host" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "callback_hosts_seen_merchant_id_host_pk" PRIMARY KEY("merchant_id","host")
);
--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_event";--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "link_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "low_balance" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "operator_id" uuid;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "alert_mails" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "callback_hosts_seen" ADD CONSTRAINT "callback_hosts_seen_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_unmailed" ON "alerts" USING btree ("raised_at") WHERE "alerts"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_mailed" ON "alerts" USING btree ("mailed_at","id");--> statement-breakpoint
CREATE INDEX "mails_of_alerts" ON "mails" USING btree ("created_at") WHERE "mails"."event" = 'alerts';--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_event" CHECK (case "mails"."event"
        when 'alerts' then "mails"."operator_id" is not null and "mails"."link_id" is null
        else "mails"."event" in ('tenant_owner_invite', 'operator_password_reset')
          and "mails"."link_id" is not null and "mails"."operator_id" is null end);
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
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_findings_subject" UNIQUE("recovery_id","subject"),
	CONSTRAINT "recovery_findings_kind" CHECK (case "recovery_findings"."kind"
        when 'NOT_PAID' then "recovery_findings"."withdrawal_id" is not null
        when 'AT_CHANNEL' then "recovery_findings"."withdrawal_id" is not null
        when 'UNEXPLAINED' then "recovery_findings"."withdrawal_id" is not null
        when 'UNANSWERED' then "recovery_findings"."withdrawal_id" is not null
        when 'UNKNOWN_HERE' then "recovery_findings"."channel_id" is not null
        when 'NO_LIST' then "recovery_findings"."channel_id" is not null
        when 'LOST_NUMBER' then "recovery_findings"."merchant_id" is not null and "recovery_findings"."entered_by" is not null
        else false end)
);
--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_ended_by_change_requests_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_recovery_id_recoveries_id_fk" FOREIGN KEY ("recovery_id") REFERENCES "public"."recoveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_withdrawal_id_withdrawal_orders_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawal_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_entered_by_operators_id_fk" FOREIGN KEY ("entered_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recoveries_open" ON "recoveries" USING btree (("ended_at" is null)) WHERE "recoveries"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "recovery_findings_newest" ON "recovery_findings" USING btree ("recovery_id","found_at","id");--> statement-breakpoint
CREATE INDEX "recovery_findings_withdrawal" ON "recovery_findings" USING btree ("withdrawal_id") WHERE "recovery_findings"."withdrawal_id" is not null;
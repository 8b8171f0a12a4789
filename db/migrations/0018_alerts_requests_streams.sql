CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"merchant_id" uuid,
	"about" jsonb NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "alerts_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seq" bigint,
	CONSTRAINT "alerts_key_unique" UNIQUE("key"),
	CONSTRAINT "alerts_seq_unique" UNIQUE("seq"),
	CONSTRAINT "alerts_acknowledged" CHECK (("alerts"."acknowledged_at" is null) = ("alerts"."acknowledged_by" is null))
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
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_acknowledged_by_operators_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_requests" ADD CONSTRAINT "operator_requests_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_newest" ON "alerts" USING btree ("raised_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "alerts_open" ON "alerts" USING btree ("raised_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "alerts"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_unnumbered" ON "alerts" USING btree ("position") WHERE "alerts"."seq" is null;--> statement-breakpoint
CREATE INDEX "notification_logs_failed" ON "notification_logs" USING btree ("merchant_id") WHERE "notification_logs"."status" = 'FAILED';
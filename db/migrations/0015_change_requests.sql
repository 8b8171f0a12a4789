CREATE TABLE "audit_head" (
	"id" smallint PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_head_one" CHECK ("audit_head"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"operator_id" uuid,
	"login" text,
	"via" text,
	"credential" text,
	"address" text,
	"user_agent" text,
	"action" text NOT NULL,
	"subject" text,
	"reason" text,
	"before" jsonb,
	"after" jsonb,
	"outcome" text NOT NULL,
	"trace_id" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "change_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"merchant_id" uuid,
	"summary" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"touches" text[] NOT NULL,
	"amount" numeric(20, 4),
	"currency_code" char(3),
	"payload" jsonb,
	"basis" text,
	"reason" text NOT NULL,
	"evidence" text,
	"evidence_links" text[] NOT NULL,
	"status" text NOT NULL,
	"alone" text,
	"proposed_by" uuid NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"decision_reason" text,
	CONSTRAINT "change_requests_money" CHECK (("change_requests"."amount" is null) = ("change_requests"."currency_code" is null)),
	CONSTRAINT "change_requests_alone" CHECK ("change_requests"."alone" in ('CLOSING', 'BOOTSTRAP', 'SANDBOX')),
	CONSTRAINT "change_requests_decision" CHECK (coalesce(("change_requests"."status" = 'PROPOSED') = ("change_requests"."payload" is not null)
        and ("change_requests"."status" = 'PROPOSED') = ("change_requests"."decided_at" is null)
        and case "change_requests"."status"
          when 'PROPOSED' then "change_requests"."decided_by" is null and "change_requests"."alone" is null
          when 'APPLIED' then ("change_requests"."decided_by" = "change_requests"."proposed_by") = ("change_requests"."alone" is not null)
          when 'REJECTED' then "change_requests"."decided_by" <> "change_requests"."proposed_by" and "change_requests"."alone" is null
          when 'WITHDRAWN' then "change_requests"."decided_by" = "change_requests"."proposed_by" and "change_requests"."alone" is null
          when 'EXPIRED' then "change_requests"."decided_by" is null and "change_requests"."alone" is null
        end, false))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_proposed_by_operators_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_decided_by_operators_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_operator" ON "audit_log" USING btree ("operator_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "change_requests_newest" ON "change_requests" USING btree ("proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_open" ON "change_requests" USING btree ("proposed_at","id") WHERE "change_requests"."status" = 'PROPOSED';--> statement-breakpoint
CREATE INDEX "change_requests_subject" ON "change_requests" USING btree ("subject_kind","subject_id","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_merchant" ON "change_requests" USING btree ("merchant_id","proposed_at","id");--> statement-breakpoint
CREATE INDEX "change_requests_proposer" ON "change_requests" USING btree ("proposed_by","proposed_at","id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" ~ '^(suspense|fee_income|channel_cost|loss|treasury|adjustment|(bank|channel|merchant_receivable):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$');
CREATE TABLE "book_findings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"problem" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "book_findings_once" UNIQUE("subject","problem")
);
--> statement-breakpoint
CREATE TABLE "book_proofs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"postings" integer NOT NULL,
	"rows" integer NOT NULL,
	"found" integer NOT NULL,
	"through_event" bigint NOT NULL,
	CONSTRAINT "book_proofs_kind" CHECK ("book_proofs"."kind" in ('WHOLE', 'NEW'))
);
--> statement-breakpoint
CREATE TABLE "ledger_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL CONSTRAINT "ledger_seals_transfer_id_ledger_transfers_id_fk" REFERENCES "ledger_transfers"("id"),
	"hash" "bytea" NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_seals_transfer_id_unique" UNIQUE("transfer_id"),
	CONSTRAINT "ledger_seals_hash" CHECK ("ledger_seals"."seq" > 0 and octet_length("ledger_seals"."hash") = 32)
);
--> statement-breakpoint
CREATE INDEX "book_findings_open" ON "book_findings" USING btree ("first_seen_at","id") WHERE "book_findings"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "book_proofs_newest" ON "book_proofs" USING btree ("kind","finished_at");

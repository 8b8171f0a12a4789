CREATE TABLE "transfer_proofs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" uuid NOT NULL,
	"type" text NOT NULL,
	"file" "bytea" NOT NULL,
	"sha256" char(64) NOT NULL,
	"attached_by" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfer_proofs_once" UNIQUE("attempt_id","sha256"),
	CONSTRAINT "transfer_proofs_type" CHECK ("transfer_proofs"."type" in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
	CONSTRAINT "transfer_proofs_size" CHECK (octet_length("transfer_proofs"."file") between 1 and 2097152)
);
--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_attempt_id_payout_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payout_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_proofs" ADD CONSTRAINT "transfer_proofs_attached_by_operators_id_fk" FOREIGN KEY ("attached_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
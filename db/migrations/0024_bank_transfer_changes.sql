CREATE SEQUENCE "public"."bank_transfer_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "bank_transfer_changes" (
	"transfer_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "bank_transfer_changes_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seq" bigint,
	CONSTRAINT "bank_transfer_changes_seq_unique" UNIQUE("seq")
);
--> statement-breakpoint
ALTER TABLE "bank_transfer_changes" ADD CONSTRAINT "bank_transfer_changes_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bank_transfer_changes_unnumbered" ON "bank_transfer_changes" USING btree ("position") WHERE "bank_transfer_changes"."seq" is null;
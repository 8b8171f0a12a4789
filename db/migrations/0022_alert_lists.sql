ALTER TABLE "change_requests" DROP CONSTRAINT "change_requests_alone";--> statement-breakpoint
DROP INDEX "alerts_newest";--> statement-breakpoint
DROP INDEX "alerts_open";--> statement-breakpoint
CREATE INDEX "alerts_raised" ON "alerts" USING btree ("raised_at","id");--> statement-breakpoint
CREATE INDEX "alerts_of_merchant" ON "alerts" USING btree ("merchant_id","raised_at","id");--> statement-breakpoint
CREATE INDEX "alerts_waiting" ON "alerts" USING btree ("raised_at","id") WHERE "alerts"."acknowledged_at" is null;--> statement-breakpoint
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_alone" CHECK ("change_requests"."alone" in ('CLOSING', 'SANDBOX'));
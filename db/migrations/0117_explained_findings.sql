-- The last statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "recovery_findings" DROP CONSTRAINT "recovery_findings_kind";
--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD COLUMN "explained_by" uuid;
--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_explained_by_change_requests_id_fk" FOREIGN KEY ("explained_by") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "recovery_findings" ADD CONSTRAINT "recovery_findings_kind" CHECK (case "recovery_findings"."kind"
        when 'NOT_PAID' then "recovery_findings"."withdrawal_id" is not null
        when 'AT_CHANNEL' then "recovery_findings"."withdrawal_id" is not null
        when 'UNEXPLAINED' then "recovery_findings"."withdrawal_id" is not null
        when 'UNANSWERED' then "recovery_findings"."withdrawal_id" is not null
        when 'OPEN_RETURN' then starts_with("recovery_findings"."subject", 'return:')
        when 'UNKNOWN_HERE' then "recovery_findings"."channel_id" is not null
        when 'NO_LIST' then "recovery_findings"."channel_id" is not null
        when 'LOST_NUMBER' then "recovery_findings"."merchant_id" is not null and "recovery_findings"."entered_by" is not null
        else false end) NOT VALID;
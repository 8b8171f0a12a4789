ALTER TABLE "statements" ADD COLUMN "contradiction" text;
--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "difference" numeric(20, 4);
--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "confirmed_by" text;
--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "confirmed_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_add_up" CHECK ("statements"."contradiction" is null or ("statements"."difference" is not null and "statements"."status" not in ('IMPORTING', 'IMPORTED'))) NOT VALID;
--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_confirmed" CHECK (("statements"."confirmed_by" is null) = ("statements"."confirmed_at" is null)) NOT VALID;

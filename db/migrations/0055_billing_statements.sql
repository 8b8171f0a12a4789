CREATE TABLE "billing_statement_lines" (
	"statement_id" uuid NOT NULL,
	"type" text NOT NULL,
	"postings" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"fee" numeric(20, 4) NOT NULL,
	"available" numeric(20, 4) NOT NULL,
	"frozen" numeric(20, 4) NOT NULL,
	"receivable" numeric(20, 4) NOT NULL,
	CONSTRAINT "billing_statement_lines_statement_id_type_pk" PRIMARY KEY("statement_id","type"),
	CONSTRAINT "billing_statement_lines_sum" CHECK ("billing_statement_lines"."postings" > 0 and "billing_statement_lines"."amount" - "billing_statement_lines"."fee" = "billing_statement_lines"."available" + "billing_statement_lines"."frozen" - "billing_statement_lines"."receivable")
);
--> statement-breakpoint
CREATE TABLE "billing_statements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"number" integer NOT NULL,
	"previous_number" integer GENERATED ALWAYS AS (nullif(number - 1, 0)) STORED,
	"month" date NOT NULL,
	"time_zone" text NOT NULL,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"from_seq" bigint NOT NULL,
	"through_seq" bigint NOT NULL,
	"opening_available" numeric(20, 4) NOT NULL,
	"opening_frozen" numeric(20, 4) NOT NULL,
	"opening_receivable" numeric(20, 4) NOT NULL,
	"closing_available" numeric(20, 4) NOT NULL,
	"closing_frozen" numeric(20, 4) NOT NULL,
	"closing_receivable" numeric(20, 4) NOT NULL,
	"lines" integer NOT NULL,
	"postings" integer NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_statements_number" UNIQUE("merchant_id","currency_code","number"),
	CONSTRAINT "billing_statements_month" UNIQUE("merchant_id","currency_code","month"),
	CONSTRAINT "billing_statements_end" UNIQUE("merchant_id","currency_code","number","ends_at","through_seq","closing_available","closing_frozen","closing_receivable"),
	CONSTRAINT "billing_statements_first" CHECK ("billing_statements"."number" > 1 or ("billing_statements"."number" = 1 and "billing_statements"."from_seq" = 0 and "billing_statements"."opening_available" = 0
        and "billing_statements"."opening_frozen" = 0 and "billing_statements"."opening_receivable" = 0)),
	CONSTRAINT "billing_statements_time" CHECK ("billing_statements"."begins_at" < "billing_statements"."ends_at" and "billing_statements"."issued_at" > "billing_statements"."ends_at" and "billing_statements"."through_seq" >= "billing_statements"."from_seq"
        and extract(day from "billing_statements"."month") = 1),
	CONSTRAINT "billing_statements_counts" CHECK ("billing_statements"."lines" >= 0 and "billing_statements"."postings" >= "billing_statements"."lines")
);
--> statement-breakpoint
ALTER TABLE "billing_statement_lines" ADD CONSTRAINT "billing_statement_lines_statement_id_billing_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."billing_statements"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "billing_statements" ADD CONSTRAINT "billing_statements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "billing_statements" ADD CONSTRAINT "billing_statements_previous" FOREIGN KEY ("merchant_id","currency_code","previous_number","begins_at","from_seq","opening_available","opening_frozen","opening_receivable") REFERENCES "public"."billing_statements"("merchant_id","currency_code","number","ends_at","through_seq","closing_available","closing_frozen","closing_receivable") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX "billing_statements_newest" ON "billing_statements" USING btree ("month","id");

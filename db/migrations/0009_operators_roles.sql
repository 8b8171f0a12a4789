CREATE TABLE "operator_merchants" (
	"operator_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	CONSTRAINT "operator_merchants_operator_id_merchant_id_pk" PRIMARY KEY("operator_id","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "operator_roles" (
	"operator_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "operator_roles_operator_id_role_pk" PRIMARY KEY("operator_id","role")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"name" text PRIMARY KEY NOT NULL,
	"permissions" text[] NOT NULL,
	"approve_limits" jsonb,
	"built_in" boolean NOT NULL,
	CONSTRAINT "roles_permissions" CHECK ("roles"."permissions" <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'CONFIGURE', 'ADMIN'])
);
--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "restricted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operator_merchants" ADD CONSTRAINT "operator_merchants_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_merchants" ADD CONSTRAINT "operator_merchants_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_roles" ADD CONSTRAINT "operator_roles_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_roles" ADD CONSTRAINT "operator_roles_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "public"."roles"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_roles_role" ON "operator_roles" USING btree ("role");--> statement-breakpoint
-- The built-in roles (domain/permissions.ts), and for who is there already all of them: so far everybody could do everything.
INSERT INTO "roles" ("name", "permissions", "approve_limits", "built_in") VALUES
	('view', '{VIEW}', NULL, true),
	('support', '{VIEW,SUPPORT}', NULL, true),
	('reconcile', '{VIEW,RECONCILE}', NULL, true),
	('approve', '{VIEW,APPROVE}', NULL, true),
	('treasurer', '{VIEW,TREASURER}', NULL, true),
	('configure', '{VIEW,CONFIGURE}', NULL, true),
	('admin', '{VIEW,ADMIN}', NULL, true);
--> statement-breakpoint
INSERT INTO "operator_roles" ("operator_id", "role") SELECT o."id", r."name" FROM "operators" o, "roles" r;

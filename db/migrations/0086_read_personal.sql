-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "roles" DROP CONSTRAINT "roles_permissions";
--> statement-breakpoint
-- A deployment has a handful of roles: they are checked at once.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "roles" ADD CONSTRAINT "roles_permissions" CHECK ("roles"."permissions" <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'CONFIGURE', 'ADMIN', 'READ_PERSONAL']);
--> statement-breakpoint
insert into roles (name, permissions, approve_limits, built_in) values
  ('read_personal', '{VIEW,READ_PERSONAL}', null, true);
--> statement-breakpoint
-- Whoever is there saw payers and beneficiaries until now: nobody loses that by an upgrade, and somebody may grant it.
insert into operator_roles (operator_id, role)
select distinct operator_id, 'read_personal' from operator_roles;

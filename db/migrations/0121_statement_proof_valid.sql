alter table statements validate constraint statements_add_up;
--> statement-breakpoint
alter table statements validate constraint statements_confirmed;
--> statement-breakpoint
-- Files that were imported before count as they did: as their importer said. The table has a row for each file.
update statements set confirmed_by = imported_by, confirmed_at = imported_at
where status = 'IMPORTED' and confirmed_by is null;

alter table ledger_book_lines validate constraint ledger_book_lines_book_id_ledger_books_id_fk;
--> statement-breakpoint
alter table ledger_seals validate constraint ledger_seals_digest;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_type;
--> statement-breakpoint
alter table statement_lines validate constraint statement_lines_direction;

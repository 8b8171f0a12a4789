ALTER TABLE "ledger_entries" VALIDATE CONSTRAINT "ledger_entries_value_day";

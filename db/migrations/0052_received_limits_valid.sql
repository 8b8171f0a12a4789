alter table account_days validate constraint account_days_received;
--> statement-breakpoint
alter table bank_accounts validate constraint bank_accounts_received;

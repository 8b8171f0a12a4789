-- An order takes over its session's number where it stands, so nothing has to be put off to the commit.
alter table cashier_sessions alter constraint cashier_sessions_number not deferrable;

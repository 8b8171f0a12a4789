ALTER TABLE "listed_beneficiaries" ADD COLUMN "account_key" text;

ALTER TABLE "merchant_currencies" VALIDATE CONSTRAINT "merchant_currencies_pool";

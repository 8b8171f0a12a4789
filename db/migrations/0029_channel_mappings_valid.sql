ALTER TABLE "channels" VALIDATE CONSTRAINT "channels_mapped";

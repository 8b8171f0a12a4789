ALTER TABLE "notification_logs" ADD COLUMN "waits_for_key" boolean DEFAULT false NOT NULL;

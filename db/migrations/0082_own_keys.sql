-- An agent with a key pair of its own has no secret; the older release creates no such agent.
-- squawk-ignore ban-drop-not-null
ALTER TABLE "agent_keys" ALTER COLUMN "sealed_secret" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "agent_keys" ADD COLUMN "public_key" text;
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "allowed_addresses" text[];
--> statement-breakpoint
ALTER TABLE "agent_keys" ADD CONSTRAINT "agent_keys_signs" CHECK (num_nonnulls("agent_keys"."sealed_secret", "agent_keys"."public_key") = 1) NOT VALID;

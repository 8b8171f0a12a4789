-- The last statement adds a wider one, in the same transaction: sealed cards are a string.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "cashier_sessions" DROP CONSTRAINT "cashier_sessions_cards";
--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD COLUMN "payer_bank_cards_index" text collate "C";
--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD COLUMN "card_count" smallint;
--> statement-breakpoint
ALTER TABLE "cashier_sessions" ADD CONSTRAINT "cashier_sessions_cards" CHECK (case jsonb_typeof("cashier_sessions"."payer_bank_cards")
          when 'array' then jsonb_array_length("cashier_sessions"."payer_bank_cards") <= 10
            and num_nonnulls("cashier_sessions"."payer_bank_cards_index", "cashier_sessions"."card_count") = 0
            and ("cashier_sessions"."chosen_card" is null or "cashier_sessions"."chosen_card" between 0 and jsonb_array_length("cashier_sessions"."payer_bank_cards") - 1)
          when 'string' then num_nulls("cashier_sessions"."payer_bank_cards_index", "cashier_sessions"."card_count") = 0 and "cashier_sessions"."card_count" between 1 and 10
            and ("cashier_sessions"."chosen_card" is null or "cashier_sessions"."chosen_card" between 0 and "cashier_sessions"."card_count" - 1)
          else false end) NOT VALID;

CREATE TABLE "channel_mapping_trials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"passed" boolean NOT NULL,
	"checks" json NOT NULL,
	"tried_by" uuid NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_mappings" (
	"channel_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"mapping" json NOT NULL,
	"note" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_mappings_channel_id_version_pk" PRIMARY KEY("channel_id","version"),
	CONSTRAINT "channel_mappings_version" CHECK ("channel_mappings"."version" > 0)
);
--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "mapped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "mapping_version" integer;--> statement-breakpoint
ALTER TABLE "channel_mapping_trials" ADD CONSTRAINT "channel_mapping_trials_tried_by_operators_id_fk" FOREIGN KEY ("tried_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mapping_trials" ADD CONSTRAINT "channel_mapping_trials_version" FOREIGN KEY ("channel_id","version") REFERENCES "public"."channel_mappings"("channel_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mappings" ADD CONSTRAINT "channel_mappings_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mappings" ADD CONSTRAINT "channel_mappings_created_by_operators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_mapping_trials_of_version" ON "channel_mapping_trials" USING btree ("channel_id","version","id");--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_mapped" CHECK ((not "channels"."mapped" or "channels"."kind" = 'HTTP') and ("channels"."mapped" or "channels"."mapping_version" is null)
        and (not "channels"."mapped" or not "channels"."enabled" or "channels"."mapping_version" is not null)) NOT VALID;

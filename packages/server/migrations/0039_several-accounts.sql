-- A provider may have several connected accounts. Earlier accounts, whose records were hidden, become disconnected ones.
ALTER TABLE "connections" RENAME COLUMN "is_current" TO "is_shown";--> statement-breakpoint
DROP INDEX "connections_current";--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "first_connected_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "connections" SET "first_connected_at" = "connected_at";--> statement-breakpoint
UPDATE "connections" SET "status" = 'disconnected', "credentials" = NULL, "expires_at" = NULL, "renewal_owner" = NULL, "renewal_until" = NULL
WHERE NOT "is_shown";--> statement-breakpoint
-- People name accounts: two accounts of a provider need two names.
UPDATE "connections" c SET "account" = left(n.account, 312) || CASE WHEN n.number = 1 THEN '' ELSE ' (' || n.number || ')' END
FROM (
  SELECT "user_id", "id", "account", row_number() OVER (PARTITION BY "user_id", "provider", left("account", 312) ORDER BY "connected_at", "id") AS number
  FROM "connections"
) n WHERE n.user_id = c.user_id AND n.id = c.id AND (n.number > 1 OR length(n.account) > 312);--> statement-breakpoint
CREATE UNIQUE INDEX "connections_name" ON "connections" USING btree ("user_id","provider","account");--> statement-breakpoint
-- Cached pages are of a set of accounts.
TRUNCATE "template_pages";--> statement-breakpoint
ALTER TABLE "template_pages" DROP CONSTRAINT "template_pages_user_id_connection_id_template_page_pk";--> statement-breakpoint
ALTER TABLE "template_pages" DROP COLUMN "connection_id";--> statement-breakpoint
ALTER TABLE "template_pages" ADD COLUMN "accounts" text NOT NULL;--> statement-breakpoint
ALTER TABLE "template_pages" ADD CONSTRAINT "template_pages_user_id_accounts_template_page_pk" PRIMARY KEY("user_id","accounts","template","page");--> statement-breakpoint
ALTER TABLE "alerts" DROP COLUMN "connection_id";

ALTER TABLE "api_token_uses" ADD COLUMN "times" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- All refused calls of a token become one row: the last, with their number.
UPDATE "api_token_uses" u SET "times" = refused."times" FROM (
  SELECT "user_id", "token_id", max("id") AS "id", count(*) AS "times" FROM "api_token_uses"
  WHERE "status" IN (403, 429) GROUP BY "user_id", "token_id") refused
WHERE u."user_id" = refused."user_id" AND u."id" = refused."id";--> statement-breakpoint
DELETE FROM "api_token_uses" u USING (
  SELECT "user_id", "token_id", max("id") AS "id" FROM "api_token_uses"
  WHERE "status" IN (403, 429) GROUP BY "user_id", "token_id") refused
WHERE u."user_id" = refused."user_id" AND u."token_id" = refused."token_id" AND u."status" IN (403, 429) AND u."id" < refused."id";--> statement-breakpoint
CREATE INDEX "api_token_uses_token" ON "api_token_uses" USING btree ("user_id","token_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_token_uses_refused" ON "api_token_uses" USING btree ("user_id","token_id") WHERE status in (403, 429);

-- Categories of a user may share a title.
DROP INDEX "categories_title";--> statement-breakpoint
CREATE INDEX "categories_title" ON "categories" USING btree ("user_id",lower("title"));

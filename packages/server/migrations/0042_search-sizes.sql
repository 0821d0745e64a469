ALTER TABLE "search_entries" ADD COLUMN "size" bigint;--> statement-breakpoint
CREATE INDEX "search_entries_size" ON "search_entries" USING btree ("user_id","size");
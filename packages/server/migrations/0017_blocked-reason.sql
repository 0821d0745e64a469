ALTER TABLE "schedules" RENAME COLUMN "hindrance" TO "blocked_reason";

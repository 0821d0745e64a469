-- Documents are checked when they are read from the provider; as `json` the database would check each of them once more.
ALTER TABLE "record_undo" ALTER COLUMN "data" SET DATA TYPE text, ALTER COLUMN "data" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "records" ALTER COLUMN "data" SET DATA TYPE text, ALTER COLUMN "data" SET STORAGE EXTERNAL;

-- Documents are stored outside of the row without compression: compressing them took longer than everything else of a sync.
ALTER TABLE "records" ALTER COLUMN "data" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "data" SET STORAGE EXTERNAL;

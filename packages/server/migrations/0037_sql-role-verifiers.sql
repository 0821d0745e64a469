ALTER TABLE "sql_roles" ADD COLUMN "verifier" text;

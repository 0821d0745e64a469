import { defineConfig } from 'drizzle-kit';

/** `npm run migrations -w packages/server -- --name what` writes the next migration from the features' tables. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/features/**/tables.ts',
  out: './migrations',
  casing: 'snake_case',
});

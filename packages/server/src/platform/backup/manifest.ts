import { z } from 'zod';
import { DamagedBackup } from './damaged.ts';

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
/** A table of a backup: its columns with the types that PostgreSQL's `format_type` prints. */
export type BackupTable = z.infer<typeof tableSchema>;

/** What every format says about a backup. */
export const descriptionSchema = z.object({
  /** Version of the product that wrote the backup. */
  version: z.string(),
  /** Time of the snapshot, ISO. */
  createdAt: z.string(),
  /** Version of the PostgreSQL server. */
  server: z.string(),
  /** Times of the applied migrations, ms, oldest first. */
  migrations: z.array(z.number()),
  /** Ids of the keys that encrypt secrets in the rows. */
  keys: z.array(z.string()),
  /** The tables in the file's order: a table follows those that it refers to. */
  tables: z.array(tableSchema),
});

/** Description of a backup, and the content of the generated key file if it is in it (encrypted backups only). */
export type BackupHeader = z.infer<typeof descriptionSchema> & { keyFile?: string | undefined };

/** One step through a backup. */
export type BackupEvent =
  | { type: 'header'; header: BackupHeader }
  | { type: 'table'; table: BackupTable }
  | { type: 'rows'; text: Buffer }
  | { type: 'tableEnd'; table: BackupTable; rows: number };

const NEWLINE = 10;

/** Counts the rows in text of COPY. A row is a line: newlines in values are escaped. */
export function countRows(text: Buffer): number {
  let rows = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}

/** Parses JSON of a backup. @throws DamagedBackup when the schema does not accept it */
export function parseContent<T>(schema: z.ZodType<T>, content: Buffer): T {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch {
    throw new DamagedBackup('its structure is not the expected one');
  }
}

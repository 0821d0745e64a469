import { z } from 'zod';

export const templateSchema = z.object({
  _id: z.string(),
  title: z.string(),
  description: z.string(),
  templateKey: z.string(),
  providerId: z.string(),
  /** The entity label whose records the template reads. */
  entryCollection: z.string(),
  /** Each row is a whole record, whose history can be shown: its `id` is the record's. */
  isOfRecords: z.boolean(),
  /** Fields of the rows that people look at first. */
  columns: z.array(z.string()),
});
export type Template = z.infer<typeof templateSchema>;

/** A page of rows: results and the count of all of them. */
export const resultsSchema = z.object({
  results: z.array(z.unknown()),
  count: z.number().int(),
});
export type Results = z.infer<typeof resultsSchema>;

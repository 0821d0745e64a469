import { z } from 'zod';
import { parseSearch, SEARCH_LIMITS } from './search-query.ts';

/** A template of an entity: `{ _id: '…', title: 'All pull requests', templateKey: 'gh-pulls-all', … }`. */
export const templateSchema = z.object({
  _id: z.string(),
  title: z.string(),
  description: z.string(),
  templateKey: z.string(),
  providerId: z.string(),
  /** Label of the entity whose records the template reads, e.g. `gh-pulls`. */
  entryCollection: z.string(),
  /** Whether each row is a whole record (`id` is the record's id), so that its history can be shown. */
  isOfRecords: z.boolean(),
  /** Whether a search can select some of the rows. */
  isSearchable: z.boolean(),
  /** The most important fields of the rows, in display order. */
  columns: z.array(z.string()),
});
export type Template = z.infer<typeof templateSchema>;

/** A search that selects rows of a searchable template, as on the search page: `from:amy invoice`. Empty: all rows. */
export const rowSearchSchema = z
  .string()
  .trim()
  .max(SEARCH_LIMITS.text, `Must be ${SEARCH_LIMITS.text.toLocaleString('en')} characters or less`)
  .superRefine((text, context) => {
    if (text.length > SEARCH_LIMITS.text) return;
    const error = parseSearch(text).problems.find(({ isError }) => isError);
    if (error) context.addIssue({ code: 'custom', message: error.message });
  });

/** A page of rows and the total number: `{ results: […], count: 5000 }`. */
export const resultsSchema = z.object({
  results: z.array(z.unknown()),
  count: z.number().int(),
});
export type Results = z.infer<typeof resultsSchema>;

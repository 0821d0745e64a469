import { z } from 'zod';
import { defineEndpoints, idSchema } from './endpoint.ts';
import { PAGE_SIZES } from './limits.ts';
import { SEARCH_LIMITS } from './search-query.ts';

/** A piece of a text, and whether the search found it: `{ text: 'Invoice', isMatch: true }`. Never HTML. */
export const searchPieceSchema = z.object({ text: z.string(), isMatch: z.boolean() });
export type SearchPiece = z.infer<typeof searchPieceSchema>;

/** A record that a search found. */
export const searchResultSchema = z.object({
  providerId: z.string(),
  entityLabel: z.string(),
  recordId: z.string(),
  title: z.array(searchPieceSchema),
  /** A part of the body with the first matches, about 200 UTF-16 units. */
  excerpt: z.array(searchPieceSchema),
  /** Sender or author, e.g. `amy@example.org`. */
  person: z.string(),
  labels: z.array(z.string()),
  /** ISO, e.g. `2026-11-25T09:30:00.000Z`. */
  occurredAt: z.string(),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** Something to know about the text of a search; `from` and `to` are offsets, UTF-16 units. */
const searchRemarkSchema = z.object({ message: z.string(), from: z.number().int(), to: z.number().int() });

/** A page of search results. */
export const searchResultsSchema = z.object({
  results: z.array(searchResultSchema),
  /** Number of found records, at most `SEARCH_BOUNDS.candidates`. */
  count: z.number().int(),
  /** True if there are more than `count`; the newest and those with the words in their titles are then considered. */
  isLimited: z.boolean(),
  remarks: z.array(searchRemarkSchema),
  /** Number of the user's records that are not in the index yet, because an upgrade is still indexing them. */
  unindexed: z.number().int(),
});
export type SearchResults = z.infer<typeof searchResultsSchema>;

/** Found records that are ranked, results on one page, and pages. */
export const SEARCH_BOUNDS = { candidates: 1000, page: PAGE_SIZES.results, pages: 50 } as const;

/** A search: text with operators (without text: the newest records), optionally within one provider or entity. */
const searchQuerySchema = z.object({
  q: z
    .string()
    .max(SEARCH_LIMITS.text, `At most ${SEARCH_LIMITS.text.toLocaleString('en')} characters`)
    .default(''),
  providerId: idSchema.optional(),
  entityLabel: idSchema.optional(),
  order: z.enum(['relevance', 'newest']).default('relevance'),
  /** True while the text is being typed: its last word also finds longer words. */
  isTyping: z.enum(['true', 'false']).default('false'),
  page: z.coerce.number().int().min(1).max(SEARCH_BOUNDS.pages).default(1),
});
export type SearchRequest = z.infer<typeof searchQuerySchema>;

/** Endpoints of the search over all records. */
export const SEARCH_ENDPOINTS = defineEndpoints({
  search: {
    method: 'GET',
    path: '/api/data/search',
    summary: 'Records of all connections that match words and operators, pages of 20',
    access: 'user',
    query: searchQuerySchema,
    response: searchResultsSchema,
  },
});

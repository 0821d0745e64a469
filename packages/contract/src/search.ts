import { z } from 'zod';
import { accountNameSchema, defineEndpoints, idSchema } from './endpoint.ts';
import { PAGE_SIZES } from './limits.ts';
import {
  attachmentsSchema,
  CONVERSATION_MAILS,
  pullDetailsSchema,
  resultDetailsSchema,
} from './record-details.ts';
import { FACET_NAMES } from './search-choices.ts';
import { SEARCH_LIMITS } from './search-query.ts';

/** Operators whose values the completion knows. */
const COMPLETED_OPERATORS = ['from', 'to', 'author', 'label', 'in', 'repo', 'account'] as const;

/** A piece of a text, and whether the search found it: `{ text: 'Invoice', isMatch: true }`. Never HTML. */
export const searchPieceSchema = z.object({ text: z.string(), isMatch: z.boolean() });
export type SearchPiece = z.infer<typeof searchPieceSchema>;

/** A record that a search found. */
export const searchResultSchema = z.object({
  providerId: z.string(),
  entityLabel: z.string(),
  /** The account that it came from, e.g. `octocat`. */
  account: z.string(),
  /** All accounts that have the record, if an id means the same record in each; the result is the newest copy. */
  accounts: z.array(z.string()).optional(),
  recordId: z.string(),
  title: z.array(searchPieceSchema),
  /** A part of the body with the first matches, about 200 UTF-16 units. */
  excerpt: z.array(searchPieceSchema),
  /** Sender or author, e.g. `amy@example.org`. */
  person: z.string(),
  labels: z.array(z.string()),
  /** ISO, e.g. `2026-11-25T09:30:00.000Z`. */
  occurredAt: z.string(),
  ...resultDetailsSchema.shape,
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** Something to know about the text of a search; `from` and `to` are offsets, UTF-16 units. */
const searchRemarkSchema = z.object({ message: z.string(), from: z.number().int(), to: z.number().int() });

/** One value of a facet: the operator or request field that narrows the search to it, and how many results have it. */
const facetValueSchema = z.object({
  /** Value for the request or the operator, e.g. `amy@example.org`, `github`, `2026-11`. */
  value: z.string(),
  /** Value for people, e.g. `GitHub`, `November 2026`. */
  title: z.string(),
  count: z.number().int(),
});

/**
 * Facets of a search: the most frequent values of the found records, at most `FACET_VALUES` each and those that narrow the search.
 * Values of a facet by which the search is narrowed are counted as if it were not, so that others can be chosen.
 */
export const searchFacetsSchema = z.object({
  facets: z.array(
    z.object({
      /**
       * provider, entity and account are fields of the request; the others stand for operators: `from:`, `label:`, `has:`; state for
       * `is:` with `FACET_STATES`, month for `after:` and `before:`.
       */
      name: z.enum(FACET_NAMES),
      values: z.array(facetValueSchema),
    }),
  ),
  /** Number of records that match, also beyond the results of a search; at most `FACET_RECORDS`. */
  count: z.number().int(),
  /** True if more than `FACET_RECORDS` match, also of those counted for other choices: the counts are of the newest. */
  isLimited: z.boolean(),
});
export type SearchFacets = z.infer<typeof searchFacetsSchema>;
export const FACET_VALUES = 10;
export const FACET_RECORDS = 10_000;

/** A page of search results. */
export const searchResultsSchema = z.object({
  results: z.array(searchResultSchema),
  /** Number of found records, at most `SEARCH_BOUNDS.candidates`. */
  count: z.number().int(),
  /** True if there are more than `count`; the newest and those with the words in their titles are then considered. */
  isLimited: z.boolean(),
  remarks: z.array(searchRemarkSchema),
  /** The search with similar names instead of misspelled ones, if only it found something: the results are for it. */
  correctedText: z.string().nullable(),
  /** Number of the user's records that are not in the index yet, because an upgrade is still indexing them. */
  unindexed: z.number().int(),
  /** The entities to which they belong, and how many of the user's records of each are in the index; empty when all are. */
  indexing: z.array(
    z.object({ entityLabel: z.string(), indexed: z.number().int(), total: z.number().int() }),
  ),
  /** Null unless the request asks for them. */
  facets: searchFacetsSchema.nullable(),
});
export type SearchResults = z.infer<typeof searchResultsSchema>;

/** Found records of a search, results on one page, and pages. */
export const SEARCH_BOUNDS = { candidates: 500, page: PAGE_SIZES.results, pages: 25 } as const;

/** A search: text with operators (without text: the newest records), optionally within one provider, entity or account. */
const searchQuerySchema = z.object({
  q: z
    .string()
    .max(SEARCH_LIMITS.text, `At most ${SEARCH_LIMITS.text.toLocaleString('en')} characters`)
    .default(''),
  providerId: idSchema.optional(),
  entityLabel: idSchema.optional(),
  account: accountNameSchema,
  order: z.enum(['relevance', 'newest']).default('relevance'),
  /** True while the text is being typed: its last word also finds longer words. */
  isTyping: z.enum(['true', 'false']).default('false'),
  page: z.coerce.number().int().min(1).max(SEARCH_BOUNDS.pages).default(1),
  /** Whether to count facets of what the search finds. */
  facets: z.enum(['true', 'false']).default('false'),
});
export type SearchRequest = z.infer<typeof searchQuerySchema>;

/** Values of an operator that begin with a text, then those that contain it; the most frequent of the newest records first. */
const searchValuesQuerySchema = z.object({
  operator: z.enum(COMPLETED_OPERATORS),
  text: z.string().max(100).default(''),
});
const searchValuesSchema = z.array(z.object({ value: z.string() }));
export type SearchValues = z.infer<typeof searchValuesSchema>;

/** A record for reading. All texts are the provider's: untrusted. */
export const recordReadingSchema = z.object({
  providerId: z.string(),
  entityLabel: z.string(),
  account: z.string(),
  /** All accounts that have the record, if an id means the same record in each. */
  accounts: z.array(z.string()).optional(),
  recordId: z.string(),
  title: z.string(),
  /** ISO, e.g. `2026-11-25T09:30:00.000Z`. */
  occurredAt: z.string(),
  /** Lines above the text: `{ title: 'From', values: ['Amy <amy@example.org>'] }`. */
  facts: z.array(z.object({ title: z.string(), values: z.array(z.string()) })),
  /** Plain text; Markdown for pull requests. At most `READING_LENGTH` UTF-16 units. */
  text: z.string(),
  textFormat: z.enum(['plain', 'markdown']),
  /**
   * Balanced HTML of a mail or of the Markdown, of known elements, attributes and styles; null if there is none, or if it takes
   * too long to write. Sanitise it before you show it. At most `READING_LENGTH` UTF-16 units.
   */
  html: z.string().nullable(),
  isCutOff: z.boolean(),
  /** Address of the record at its provider, `https:`; null if it has none. */
  url: z.string().nullable(),
  pull: pullDetailsSchema.optional(),
  /** Absent for a record without files. */
  attachments: attachmentsSchema.optional(),
});
export type RecordReading = z.infer<typeof recordReadingSchema>;
export const READING_LENGTH = 500_000;

/** A mail in the list of its conversation. */
const conversationMailSchema = z.object({
  recordId: z.string(),
  /** Name of the sender, else the address; empty without one. */
  sender: z.string(),
  /** The first words of the mail on one line, about 200 UTF-16 units. */
  excerpt: z.string(),
  /** ISO, e.g. `2026-11-25T09:30:00.000Z`. */
  occurredAt: z.string(),
  isUnread: z.boolean(),
  /** Number of attachments. */
  fileCount: z.number().int(),
});
export type ConversationMail = z.infer<typeof conversationMailSchema>;

/** The stored mails of one account that belong together. */
export const conversationSchema = z.object({
  /** The newest first; with the asked one; empty for a record without a conversation and for one that is not in the index yet. */
  mails: z.array(conversationMailSchema).max(CONVERSATION_MAILS),
  /** Whether there may be more; the newest are listed. */
  isCutOff: z.boolean(),
  /** Number of the account's records that are not in the index yet: the conversation may be incomplete. */
  unindexed: z.number().int(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Endpoints of the search over all records. */
export const SEARCH_ENDPOINTS = defineEndpoints({
  search: {
    method: 'GET',
    path: '/api/data/search',
    summary:
      'Records of all connections that match words and operators, pages of 20, and the most frequent providers, entities, people, labels and months of all that match',
    access: 'user',
    query: searchQuerySchema,
    response: searchResultsSchema,
  },
  searchValues: {
    method: 'GET',
    path: '/api/data/search/values',
    summary: 'Up to 10 values of a search operator, for completion',
    access: 'user',
    query: searchValuesQuerySchema,
    response: searchValuesSchema,
  },
  recordReading: {
    method: 'GET',
    path: '/api/data/records/{providerId}/{entityLabel}',
    summary: 'One record for reading: a mail or a pull request with its text',
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    query: z.object({ record: idSchema, account: accountNameSchema }),
    response: recordReadingSchema,
  },
  recordConversation: {
    method: 'GET',
    path: '/api/data/records/{providerId}/{entityLabel}/conversation',
    summary: `The stored mails of the conversation of a mail, at most ${CONVERSATION_MAILS}, newest first`,
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    query: z.object({ record: idSchema, account: accountNameSchema }),
    response: conversationSchema,
  },
});

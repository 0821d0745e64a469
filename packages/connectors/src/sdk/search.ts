/** Weight of a text of the search index, from titles (A) to bodies (D), as in PostgreSQL's `setweight`. */
export type SearchWeight = 'A' | 'B' | 'C' | 'D';

/**
 * Declares how the records of an entity are searched. All values are SQL expressions over `r`, the row of the entity's
 * table, and `d`, the fields of its document that `document` lists. They run for each stored record, in the transaction of
 * its page, so they must accept every document: an error would stop the sync. The functions `search_people` and
 * `search_field` read lists of objects.
 */
export interface SearchDefinition {
  /** Columns of `d`, as in `json_to_record`: `"subject" text, "from" json`. */
  document: string;
  /** Text expressions by weight. Limit long ones with `left`: the body to 65,536 characters. */
  texts: Partial<Record<SearchWeight, string>>;
  /** Text expressions by operator, whose words the operator finds: `from: 'search_people(d."from")'`. */
  words: Readonly<Record<string, string>>;
  /** `text[]` expressions by operator, whose texts the operator finds as a whole: `label: 'r.labels'`. */
  names: Readonly<Record<string, string>>;
  /** Boolean expressions by operator and value: `'is:unread': 'r.unread'`. */
  states: Readonly<Record<string, string>>;
  /** Integer expression for the size in bytes, which `larger` and `smaller` compare; absent where records have none. */
  size?: string;
  /** Text expression for the sender or author, by which results are grouped. */
  person: string;
  /** `text[]` expression for names and addresses of the sender or author, for completion and for typing errors. */
  people: string;
  /** `text[]` expression for the labels by which results are grouped. */
  labels: string;
  /** Text expression for what is also found by parts of words: title, people, file names. At most 500 characters are used. */
  parts: string;
  /** Text expression from which excerpts are cut. At most 20,000 characters are used. */
  excerpt: string;
  /** Whether it is Markdown, whose marks an excerpt leaves out. */
  isMarkdown?: boolean;
  /** How the records of a conversation are found; absent where there are none. */
  conversation?: ConversationDefinition;
  /** `json` expression for what a result shows of its kind of record: the contract's `resultDetailsSchema`. */
  details?: string;
}

/** Declares which records of an account belong to one conversation. SQL expressions, like those of `SearchDefinition`. */
export interface ConversationDefinition {
  /** `text[]` expression for ids: records that share one belong together. At most 30 are used. */
  ids: string;
  /** Text expression for an id that copies of a record share, e.g. of a mail in two mailboxes; null where there are no copies. */
  copyId: string;
}

/** Weight A, then B, C, D. */
export const SEARCH_WEIGHTS: readonly SearchWeight[] = ['A', 'B', 'C', 'D'];

/** Most characters of a body that are searched. */
export const SEARCHED_LENGTH = 65_536;
/** A list of names without any, in SQL. */
export const NO_NAMES = `'{}'::text[]`;

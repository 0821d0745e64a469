import type { ReadRequest, StoredRecord } from '../../sdk/index.ts';
import type { Repository } from '../repository/repository-names.ts';
import type { ListKind } from './parse.ts';

/** Parameters of `RepositoryList.countOwn`. */
export interface CountRequest {
  request: Pick<ReadRequest, 'client'>;
  repository: Repository;
  signal: AbortSignal;
}

/** A list of a repository in GitHub's REST API that can be ordered by creation and by update. */
export interface RepositoryList {
  /** Chooses how its items are parsed. */
  kind: ListKind;
  /** Path below the repository, e.g. `/pulls`. */
  path: string;
  /** Parameters of every request, e.g. `{ state: 'all' }`. */
  query: Readonly<Record<string, string>>;
  /** What its records are called in messages, e.g. `pull requests`. */
  many: string;
  /** Whether the list has items that are no records of the entity. */
  hasOthers: boolean;
  /**
   * Whether incremental runs follow a list that continues at cursors, as GitHub's long lists of issues do. Such a list has no
   * count, so deletions in it are noticed by full runs and *Verify* only.
   */
  followsCursors: boolean;
  /**
   * Counts the items that are records of the entity, for a list that has others; null if GitHub does not say. Throws
   * ProviderError.
   */
  countOwn?(source: CountRequest): Promise<number | null>;
  /** Columns that `orderOf` needs. */
  orderColumns: readonly string[];
  /** Returns a number that grows with each created item: the number of an issue, the id of a comment; 0 if it has none. */
  orderOf(record: Pick<StoredRecord, 'id'> & { columns: Readonly<Record<string, unknown>> }): number;
}

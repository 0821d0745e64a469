import { commitShape, type GithubService, type PullRepository, type Shape } from '@datadeck/sandbox/parts';
import {
  type CommitOrder,
  forcePush,
  type MergeOrder,
  mergeOldBranch,
  pushCommits,
  type RewriteOrder,
} from './commit-changes.ts';
import { failingQueries, type QueryFailure } from './failing-queries.ts';
import * as records from './record-changes.ts';
import { type OddKind, oddRecordFields, type RecordOddity } from './record-oddities.ts';

/** Actions on the records of a repository beside its pull requests. `fields` are in the format of GitHub's REST API. */
export interface GithubRecordsControl {
  /** Returns all records of a kind in GitHub's format. */
  records(repository: string, kind: records.TableKind): Shape[];
  /** Returns the hashes of the default branch, the newest first. */
  commits(repository: string): string[];
  /** Adds an open issue. Returns its number. */
  insertIssue(repository: string, fields?: Shape): number;
  changeIssue(repository: string, number: number, fields: Shape): boolean;
  /** Deletes an issue with its comments. */
  deleteIssue(repository: string, number: number): boolean;
  /** Adds a comment to an issue or a pull request. Returns its id. */
  insertComment(repository: string, number: number, fields?: Shape): number;
  changeComment(repository: string, id: number, fields: Shape): boolean;
  deleteComment(repository: string, id: number): boolean;
  /** Adds a comment on a line of a pull request, and its review. Returns the comment's id. */
  insertReviewComment(repository: string, number: number, fields?: Shape): number;
  changeReviewComment(repository: string, id: number, fields: Shape): boolean;
  deleteReviewComment(repository: string, id: number): boolean;
  /** Adds a review of a pull request, by default an approval. Returns its id. */
  insertReview(repository: string, number: number, fields?: Shape): number;
  changeReview(repository: string, id: number, fields: Shape): boolean;
  deleteReview(repository: string, id: number): boolean;
  /** Adds a run, by default one that has passed. Returns its id. */
  insertRun(repository: string, fields?: Shape): number;
  changeRun(repository: string, id: number, fields: Shape): boolean;
  /** Starts the next attempt of a run. */
  rerun(repository: string, id: number): boolean;
  /** Ends a run, by default with `success`. */
  finishRun(repository: string, id: number, conclusion?: string): boolean;
  deleteRun(repository: string, id: number): boolean;
  /** Adds commits to the default branch. Returns their hashes, the oldest first. */
  pushCommits(repository: string, count?: number, order?: CommitOrder): string[];
  /** Merges a branch whose commits are `days` (10) older than the head. Returns the hashes, the merge commit last. */
  mergeOldBranch(repository: string, order?: MergeOrder): string[];
  /** Replaces the newest commits by others. Returns the hashes of the new ones. */
  forcePush(repository: string, order?: RewriteOrder): string[];
  /** Publishes a release, or adds a draft with `draft: true`. Returns its id. */
  publishRelease(repository: string, fields?: Shape): number;
  changeRelease(repository: string, id: number, fields: Shape): boolean;
  deleteRelease(repository: string, id: number): boolean;
  /** Lets the next queries of the GraphQL API fail, by default one. */
  failQueries(failure: QueryFailure, times?: number): void;
  /** Inserts an odd record of a kind. Returns its id, the number of an issue, or the hash of a commit. */
  insertOddRecord(repository: string, kind: OddKind, oddity: RecordOddity): number | string;
}

/** Creates the control of records. @param open finds a repository */
export function githubRecordsControl(
  github: GithubService,
  open: (fullName: string) => PullRepository,
): GithubRecordsControl {
  const changeOf = (kind: records.TableKind) => (name: string, id: number, fields: Shape) =>
    records.changeRecord(open(name), kind, id, fields);
  const deleteOf = (kind: records.TableKind) => (name: string, id: number) =>
    records.tableOf(open(name), kind).remove(id);
  return {
    records: (name, kind) => records.recordShapes(open(name), kind, github.links),
    commits(name) {
      const { history } = open(name).activity;
      return history.head ? history.log(history.head).map(({ sha }) => sha) : [];
    },
    insertIssue: (name, fields) => records.insertIssue(open(name), fields),
    changeIssue: (name, number, fields) => records.changeIssue(open(name), number, fields),
    deleteIssue: (name, number) => records.deleteIssue(open(name), number),
    insertComment: (name, number, fields) => records.insertComment(open(name), number, fields),
    changeComment: changeOf('comment'),
    deleteComment: (name, id) => records.deleteComment(open(name), id),
    insertReviewComment: (name, number, fields) => records.insertReviewComment(open(name), number, fields),
    changeReviewComment: changeOf('review-comment'),
    deleteReviewComment: deleteOf('review-comment'),
    insertReview: (name, number, fields) => records.insertReview(open(name), number, fields),
    changeReview: (name, id, fields) => records.changeReview(open(name), id, fields),
    deleteReview: deleteOf('review'),
    insertRun: (name, fields) => records.insertRun(open(name), fields),
    changeRun: changeOf('run'),
    rerun: (name, id) => records.rerun(open(name), id),
    finishRun: (name, id, conclusion) => records.finishRun(open(name), id, conclusion),
    deleteRun: deleteOf('run'),
    pushCommits: (name, count, order) => pushCommits(open(name), count, order),
    mergeOldBranch: (name, order) => mergeOldBranch(open(name), order),
    forcePush: (name, order) => forcePush(open(name), order),
    publishRelease: (name, fields) => records.publishRelease(open(name), fields),
    changeRelease: changeOf('release'),
    deleteRelease: deleteOf('release'),
    failQueries: (failure, left = 1) => {
      failingQueries.set(github, { failure, left });
    },
    insertOddRecord: (name, kind, oddity) => insertOddRecord(github, open(name), kind, oddity),
  };
}

/** Inserts a plain record, and overrides the fields in which the odd one differs. */
function insertOddRecord(
  github: GithubService,
  repository: PullRepository,
  kind: OddKind,
  oddity: RecordOddity,
): number | string {
  const scene = repository.scene(github.links);
  if (kind === 'commit') {
    const [sha = ''] = pushCommits(repository);
    const plain = repository.activity.history.find(sha);
    const fields = plain ? oddRecordFields(kind, oddity, commitShape(scene, plain)) : {};
    return pushCommits(repository, 1, { fields })[0] ?? '';
  }
  const number = repository.rows().at(-1)?.number ?? 1;
  const insert = {
    issue: () => records.insertIssue(repository),
    comment: () => records.insertComment(repository, number),
    'review-comment': () => records.insertReviewComment(repository, number),
    review: () => records.insertReview(repository, number),
    run: () => records.insertRun(repository),
    release: () => records.publishRelease(repository),
  }[kind];
  const inserted = insert();
  const table = records.tableOf(repository, kind);
  const row = table.rows().at(-1);
  if (row) {
    const fields = oddRecordFields(kind, oddity, table.shape(row, scene));
    const stamp = 'updated_at' in fields ? {} : { updated_at: table.shape(row, scene).updated_at };
    records.changeRecord(repository, kind, row.id, { ...stamp, ...fields });
  }
  return inserted;
}

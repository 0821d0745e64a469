import type { PullLabel, PullMilestone } from './pull-facts.ts';

/** The relation of an author to a repository. */
export type Association =
  | 'OWNER'
  | 'MEMBER'
  | 'COLLABORATOR'
  | 'CONTRIBUTOR'
  | 'FIRST_TIME_CONTRIBUTOR'
  | 'NONE';

/** The fields by which a record is found and sorted. Times in ms since 1970. */
export interface RecordFacts {
  id: number;
  createdAt: number;
  updatedAt: number;
}

/** The data from which an issue in GitHub's format is built. */
export interface IssueFacts extends RecordFacts {
  number: number;
  title: string;
  body: string | null;
  /** Null if the author's account was deleted. */
  author: string | null;
  association: Association;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'duplicate' | 'reopened' | null;
  isLocked: boolean;
  closedAt: number | null;
  closedBy: string | null;
  labels: readonly PullLabel[];
  assignees: readonly string[];
  milestone: PullMilestone | null;
  comments: number;
  thumbs: number;
}

/** A comment in the conversation of an issue or of a pull request. */
export interface IssueCommentFacts extends RecordFacts {
  /** Number of the issue or pull request. */
  number: number;
  isPull: boolean;
  body: string;
  author: string | null;
  association: Association;
  thumbs: number;
}

/** A comment on a line of a pull request. */
export interface ReviewCommentFacts extends RecordFacts {
  number: number;
  reviewId: number;
  /** The first comment of the thread; null for that comment itself. */
  inReplyTo: number | null;
  path: string;
  line: number;
  hunk: string;
  /** Whether later commits changed the line. */
  isOutdated: boolean;
  sha: string;
  body: string;
  author: string | null;
  association: Association;
  thumbs: number;
}

/** A review of a pull request. */
export interface ReviewFacts extends RecordFacts {
  number: number;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  body: string;
  author: string | null;
  association: Association;
  /** Null while it is pending. */
  submittedAt: number | null;
  sha: string;
}

/** A workflow of a repository. */
export interface WorkflowFacts {
  id: number;
  name: string;
  path: string;
}

/** A run of a workflow, with its last attempt. */
export interface RunFacts extends RecordFacts {
  workflow: WorkflowFacts;
  runNumber: number;
  attempt: number;
  /** When the last attempt started. */
  startedAt: number;
  event: string;
  status: string;
  conclusion: string | null;
  branch: string | null;
  sha: string;
  title: string;
  actor: string;
  /** Who started the last attempt. */
  triggeredBy: string;
  /** The pull request, for runs of its branch in the same repository. */
  pull: { number: number; id: number; baseRef: string; baseSha: string } | null;
}

/** A file that is attached to a release. */
export interface AssetFacts {
  name: string;
  contentType: string;
  size: number;
  downloads: number;
}

/** A release of a repository. */
export interface ReleaseFacts extends RecordFacts {
  tag: string;
  name: string | null;
  body: string | null;
  author: string;
  isDraft: boolean;
  isPrerelease: boolean;
  publishedAt: number | null;
  assets: readonly AssetFacts[];
  thumbs: number;
}

/** The name and address in a commit, and the account they belong to, if any. */
export interface CommitPerson {
  name: string;
  email: string;
  login: string | null;
  date: number;
}

/** A commit. */
export interface CommitFacts {
  sha: string;
  parents: readonly string[];
  message: string;
  author: CommitPerson;
  committer: CommitPerson;
  /** Whether GitHub signed it. */
  isVerified: boolean;
  /** Fields in GitHub's format that override those of the facts. */
  fields?: Record<string, unknown>;
}

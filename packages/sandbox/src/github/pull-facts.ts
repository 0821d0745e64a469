/** The data from which a pull request in GitHub's format is built when it is served. Times in ms since 1970. */
export interface PullFacts {
  number: number;
  title: string;
  body: string | null;
  /** Null if the author's account was deleted without a replacement. */
  author: string | null;
  state: 'open' | 'closed';
  isDraft: boolean;
  isLocked: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  mergedAt: number | null;
  mergedBy: string | null;
  labels: readonly PullLabel[];
  assignees: readonly string[];
  reviewers: readonly string[];
  teams: readonly PullTeam[];
  milestone: PullMilestone | null;
  baseRef: string;
  headRef: string;
  /** Owner of the head branch; null if that account was deleted. */
  headOwner: string | null;
  /** Null if the fork was deleted. */
  headRepo: 'base' | 'fork' | null;
  association: 'OWNER' | 'MEMBER' | 'CONTRIBUTOR' | 'FIRST_TIME_CONTRIBUTOR' | 'NONE';
  size: {
    additions: number;
    deletions: number;
    changedFiles: number;
    commits: number;
    comments: number;
    reviewComments: number;
  };
}

export interface PullLabel {
  name: string;
  color: string;
  description: string | null;
}

export interface PullTeam {
  slug: string;
  name: string;
  description: string | null;
}

export interface PullMilestone {
  number: number;
  title: string;
  description: string | null;
  state: 'open' | 'closed';
  creator: string;
  createdAt: number;
  dueOn: number | null;
}

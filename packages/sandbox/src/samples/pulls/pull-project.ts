import type { PullLabel, PullMilestone, PullTeam } from '../../github/pull-facts.ts';
import type { RepositoryFacts } from '../../github/repository-shape.ts';

/** A sample repository: its facts, and the words for its pull requests. */
export interface PullProject {
  repository: Omit<RepositoryFacts, 'createdAt' | 'pushedAt' | 'openIssues'>;
  visibleTo?: readonly string[];
  pulls: number;
  /** Age of the first pull request, days. */
  days: number;
  /** People with push access; the first is the most active. */
  members: readonly string[];
  /** People with forks. */
  contributors: readonly string[];
  labels: readonly PullLabel[];
  teams: readonly PullTeam[];
  milestones: readonly Omit<PullMilestone, 'createdAt' | 'dueOn'>[];
  /** Complete titles. */
  titles: readonly string[];
  /** Title patterns such as "Verb … {part} …", used when all titles are used. */
  patterns: readonly string[];
  parts: readonly string[];
  /** Sentences for descriptions. */
  reasons: readonly string[];
  changes: readonly string[];
}

import type { PullLabel, PullMilestone, PullTeam } from '../../github/pull-facts.ts';
import type { RepositoryFacts } from '../../github/repository-shape.ts';

/** A sample repository: its facts and the words that its pull requests are made of. */
export interface PullProject {
  repository: Omit<RepositoryFacts, 'createdAt' | 'pushedAt' | 'openIssues'>;
  visibleTo?: readonly string[];
  pulls: number;
  /** How far back the first one lies, in days. */
  days: number;
  /** People who may push, the first of them most often. */
  members: readonly string[];
  /** People with forks. */
  contributors: readonly string[];
  labels: readonly PullLabel[];
  teams: readonly PullTeam[];
  milestones: readonly Omit<PullMilestone, 'createdAt' | 'dueOn'>[];
  /** Titles as they stand. */
  titles: readonly string[];
  /** "Verb … {part} …" to be filled in when the titles are used up. */
  patterns: readonly string[];
  parts: readonly string[];
  /** Sentences of bodies. */
  reasons: readonly string[];
  changes: readonly string[];
}

import { commentReading } from '../../src/github/comments/content.ts';
import { commentSearch } from '../../src/github/comments/search.ts';
import { commentTable } from '../../src/github/comments/table.ts';
import { commentTemplates } from '../../src/github/comments/templates.ts';
import { commitReading } from '../../src/github/commits/content.ts';
import { commitSearch } from '../../src/github/commits/search.ts';
import { commitTable } from '../../src/github/commits/table.ts';
import { commitTemplates } from '../../src/github/commits/templates.ts';
import { issueReading } from '../../src/github/issues/content.ts';
import { issueSearch } from '../../src/github/issues/search.ts';
import { issueTable } from '../../src/github/issues/table.ts';
import { issueTemplates } from '../../src/github/issues/templates.ts';
import { convertComment } from '../../src/github/records/comment-record.ts';
import { convertCommit } from '../../src/github/records/commit-record.ts';
import { convertIssue } from '../../src/github/records/issue-record.ts';
import { convertRelease } from '../../src/github/records/release-record.ts';
import { convertRepository } from '../../src/github/records/repository-record.ts';
import { convertReview } from '../../src/github/records/review-record.ts';
import { convertRun } from '../../src/github/records/run-record.ts';
import { releaseReading } from '../../src/github/releases/content.ts';
import { releaseSearch } from '../../src/github/releases/search.ts';
import { releaseTable } from '../../src/github/releases/table.ts';
import { releaseTemplates } from '../../src/github/releases/templates.ts';
import { repositoryReading } from '../../src/github/repositories/content.ts';
import { repositorySearch } from '../../src/github/repositories/search.ts';
import { repositoryTable } from '../../src/github/repositories/table.ts';
import { repositoryTemplates } from '../../src/github/repositories/templates.ts';
import { reviewReading } from '../../src/github/reviews/content.ts';
import { reviewSearch } from '../../src/github/reviews/search.ts';
import { reviewTable } from '../../src/github/reviews/table.ts';
import { reviewTemplates } from '../../src/github/reviews/templates.ts';
import { runReading } from '../../src/github/runs/content.ts';
import { runSearch } from '../../src/github/runs/search.ts';
import { runTable } from '../../src/github/runs/table.ts';
import { runTemplates } from '../../src/github/runs/templates.ts';

const newest = { newestBy: 'updated_at' };

/** The tables and templates of GitHub's entities, for tests that store records without a sync. */
export const GITHUB_DECLARATIONS = [
  {
    id: 'gh-issues',
    table: issueTable,
    templates: issueTemplates,
    search: issueSearch,
    reading: issueReading,
    convert: convertIssue,
    globalIds: newest,
  },
  {
    id: 'gh-comments',
    table: commentTable,
    templates: commentTemplates,
    search: commentSearch,
    reading: commentReading,
    convert: convertComment,
    globalIds: newest,
  },
  {
    id: 'gh-reviews',
    table: reviewTable,
    templates: reviewTemplates,
    search: reviewSearch,
    reading: reviewReading,
    convert: convertReview,
    globalIds: newest,
  },
  {
    id: 'gh-runs',
    table: runTable,
    templates: runTemplates,
    search: runSearch,
    reading: runReading,
    convert: convertRun,
    globalIds: newest,
  },
  {
    id: 'gh-commits',
    table: commitTable,
    templates: commitTemplates,
    search: commitSearch,
    reading: commitReading,
    convert: convertCommit,
    globalIds: { newestBy: 'committed_at' },
  },
  {
    id: 'gh-releases',
    table: releaseTable,
    templates: releaseTemplates,
    search: releaseSearch,
    reading: releaseReading,
    convert: convertRelease,
    globalIds: newest,
  },
  {
    id: 'gh-repos',
    table: repositoryTable,
    templates: repositoryTemplates,
    search: repositorySearch,
    reading: repositoryReading,
    convert: convertRepository,
    globalIds: newest,
  },
] as const;

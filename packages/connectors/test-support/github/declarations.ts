import { convertComment } from '../../src/github/comments/record.ts';
import { commentTable } from '../../src/github/comments/table.ts';
import { commentTemplates } from '../../src/github/comments/templates.ts';
import { convertCommit } from '../../src/github/commits/record.ts';
import { commitTable } from '../../src/github/commits/table.ts';
import { commitTemplates } from '../../src/github/commits/templates.ts';
import { convertIssue } from '../../src/github/issues/record.ts';
import { issueTable } from '../../src/github/issues/table.ts';
import { issueTemplates } from '../../src/github/issues/templates.ts';
import { convertRelease } from '../../src/github/releases/record.ts';
import { releaseTable } from '../../src/github/releases/table.ts';
import { releaseTemplates } from '../../src/github/releases/templates.ts';
import { convertRepository } from '../../src/github/repositories/record.ts';
import { repositoryTable } from '../../src/github/repositories/table.ts';
import { repositoryTemplates } from '../../src/github/repositories/templates.ts';
import { convertReview } from '../../src/github/reviews/record.ts';
import { reviewTable } from '../../src/github/reviews/table.ts';
import { reviewTemplates } from '../../src/github/reviews/templates.ts';
import { convertRun } from '../../src/github/runs/record.ts';
import { runTable } from '../../src/github/runs/table.ts';
import { runTemplates } from '../../src/github/runs/templates.ts';

const newest = { newestBy: 'updated_at' };

/** The tables and templates of GitHub's entities, for tests that store records without a sync. */
export const GITHUB_DECLARATIONS = [
  { id: 'gh-issues', table: issueTable, templates: issueTemplates, convert: convertIssue, globalIds: newest },
  {
    id: 'gh-comments',
    table: commentTable,
    templates: commentTemplates,
    convert: convertComment,
    globalIds: newest,
  },
  {
    id: 'gh-reviews',
    table: reviewTable,
    templates: reviewTemplates,
    convert: convertReview,
    globalIds: newest,
  },
  { id: 'gh-runs', table: runTable, templates: runTemplates, convert: convertRun, globalIds: newest },
  {
    id: 'gh-commits',
    table: commitTable,
    templates: commitTemplates,
    convert: convertCommit,
    globalIds: { newestBy: 'committed_at' },
  },
  {
    id: 'gh-releases',
    table: releaseTable,
    templates: releaseTemplates,
    convert: convertRelease,
    globalIds: newest,
  },
  {
    id: 'gh-repos',
    table: repositoryTable,
    templates: repositoryTemplates,
    convert: convertRepository,
    globalIds: newest,
  },
] as const;

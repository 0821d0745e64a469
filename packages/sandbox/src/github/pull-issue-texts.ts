import { pullAsIssue } from './issue-shape.ts';
import type { GithubLinks } from './links.ts';
import type { PullRepository, PullRow } from './pull-repository.ts';
import type { RepositoryScene, Shape } from './repository-scene.ts';

/** Maximum number of kept texts, those of the most recently served pull requests: some 60 MB. */
const MAX_KEPT = 20_000;

/** By row; every change of a pull request makes a new row. */
const texts = new Map<PullRow, { scene: RepositoryScene; comments: number; text: Buffer }>();

/** Returns a pull request as the list of issues has it. */
export function pullIssueShape(repository: PullRepository, row: PullRow, links: GithubLinks): Shape {
  return pullAsIssue(
    repository.scene(links),
    repository.shape(row, 'list', links),
    commentsOf(repository, row),
  );
}

/** Returns a pull request as the list of issues has it, as JSON. */
export function pullIssueText(repository: PullRepository, row: PullRow, links: GithubLinks): Buffer {
  const scene = repository.scene(links);
  const comments = commentsOf(repository, row);
  const kept = texts.get(row);
  const text =
    kept?.scene === scene && kept.comments === comments
      ? kept.text
      : Buffer.from(JSON.stringify(pullIssueShape(repository, row, links)));
  texts.delete(row);
  texts.set(row, { scene, comments, text });
  const [oldest] = texts.size > MAX_KEPT ? texts.keys() : [];
  if (oldest) texts.delete(oldest);
  return text;
}

/** Returns the number of comments in the conversation of a pull request. */
export function commentsOf({ activity }: PullRepository, { number, comments }: PullRow): number {
  return Math.max(0, comments + activity.addedComments(number));
}

import type { GithubLinks } from '../github/links.ts';
import type { PullRow, PullSource } from '../github/pull-repository.ts';
import type { PullShape } from '../github/pull-shape.ts';
import { fullRepositoryShape } from '../github/repository-shape.ts';
import { userId } from '../github/user-shape.ts';

/** Returns whether a value has the fields that identify a pull request. */
export function isRecordedPull(value: unknown): value is PullShape {
  if (typeof value !== 'object' || value === null) return false;
  const { id, number, base, head } = value as PullShape;
  return (
    typeof id === 'number' &&
    typeof number === 'number' &&
    typeof base === 'object' &&
    typeof head === 'object'
  );
}

/** Recorded pull requests, served unchanged. */
export class RecordedPulls implements PullSource {
  readonly #pulls: readonly PullShape[];
  readonly #fullName: string;

  constructor(pulls: readonly PullShape[], fullName: string) {
    this.#pulls = pulls;
    this.#fullName = fullName;
  }

  rows(): PullRow[] {
    return this.#pulls.map((pull, key) => ({
      key,
      id: Number(pull.id),
      number: Number(pull.number),
      createdAt: timeOf(pull.created_at) ?? 0,
      updatedAt: timeOf(pull.updated_at) ?? 0,
      closedAt: timeOf(pull.closed_at) ?? null,
      state: String(pull.state),
      headLabel: String(fieldOf(pull.head, 'label')),
      baseRef: String(fieldOf(pull.base, 'ref')),
      comments: typeof pull.comments === 'number' ? pull.comments : 0,
    }));
  }

  shape(row: PullRow): PullShape {
    const pull = this.#pulls[row.key];
    if (!pull) throw new RangeError(`No recorded pull request has the key ${row.key}`);
    return pull;
  }

  repositoryShape(links: GithubLinks): Record<string, unknown> {
    const [owner = '', name = ''] = this.#fullName.split('/');
    const recorded = fieldOf(this.#pulls[0]?.base, 'repo');
    const facts = fullRepositoryShape(links, {
      id: userId(this.#fullName),
      owner,
      name,
      ownerType: 'Organization',
      description: 'Recorded pull requests from a folder',
      language: null,
      isPrivate: false,
      isFork: false,
      createdAt: 0,
      pushedAt: 0,
      stars: 0,
      openIssues: this.#pulls.length,
      topics: [],
    });
    return fieldOf(recorded, 'full_name') === this.#fullName ? { ...facts, ...(recorded as object) } : facts;
  }
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

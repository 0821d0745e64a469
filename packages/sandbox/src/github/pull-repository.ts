import type { GithubLinks } from './links.ts';
import type { PullShape } from './pull-shape.ts';

/** What is needed of a pull request to find, filter and sort it. Times in milliseconds. */
export interface PullRow {
  /** Its place in the source; sources find the record by it. */
  key: number;
  id: number;
  number: number;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  state: string;
  /** `owner:branch`, when there is one. */
  headLabel: string;
  baseRef: string;
  comments: number;
}

/** Where the pull requests of a repository come from. Rows are made once; records when they are served. */
export interface PullSource {
  rows(): PullRow[];
  shape(row: PullRow, form: 'list' | 'single', links: GithubLinks): PullShape;
  /** The list form as JSON, for sources that can write it faster than `shape` and JSON.stringify. */
  text?(row: PullRow, links: GithubLinks): Buffer;
  /** Makes what would hold up the first requests, for sources that keep what they made. */
  prepare?(links: GithubLinks): void;
  /** The answer to GET /repos/{owner}/{repo}. */
  repositoryShape(links: GithubLinks): Record<string, unknown>;
}

/** A repository with its pull requests, and the changes made to them since the start. */
export class PullRepository {
  readonly id: number;
  owner: string;
  name: string;
  /** Logins that see it; undefined: everybody. */
  visibleTo: readonly string[] | undefined;
  readonly #source: PullSource;
  readonly #changes = new Map<number, PullShape>();
  readonly #shapes = new Map<number, PullShape>();
  #rows: PullRow[] | undefined;
  /** The highest number given so far: numbers of deleted pull requests are not given again. */
  #newestNumber = 0;

  constructor(
    place: { id: number; owner: string; name: string; visibleTo?: readonly string[] },
    source: PullSource,
  ) {
    this.id = place.id;
    this.owner = place.owner;
    this.name = place.name;
    this.visibleTo = place.visibleTo;
    this.#source = source;
  }

  /** The same repository under another id. */
  withId(id: number): PullRepository {
    const { owner, name, visibleTo } = this;
    return new PullRepository(visibleTo ? { id, owner, name, visibleTo } : { id, owner, name }, this.#source);
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  prepare(links: GithubLinks): void {
    this.rows();
    this.#source.prepare?.(links);
  }

  rows(): readonly PullRow[] {
    this.#rows ??= this.#source.rows();
    return this.#rows;
  }

  /** The pull request in GitHub's shape. */
  shape(row: PullRow, form: 'list' | 'single', links: GithubLinks): PullShape {
    const base = this.#shapes.get(row.id) ?? this.#source.shape(row, form, links);
    const changes = this.#changes.get(row.id);
    return changes ? { ...base, ...changes } : base;
  }

  /** The pull request in list form as JSON. */
  text(row: PullRow, links: GithubLinks): Buffer {
    const isAsMade = !this.#shapes.has(row.id) && !this.#changes.has(row.id);
    const text = isAsMade ? this.#source.text?.(row, links) : undefined;
    return text ?? Buffer.from(JSON.stringify(this.shape(row, 'list', links)));
  }

  repositoryShape(links: GithubLinks): Record<string, unknown> {
    const shape = this.#source.repositoryShape(links);
    return { ...shape, id: this.id, name: this.name, full_name: this.fullName };
  }

  row(number: number): PullRow | undefined {
    return this.rows().find((row) => row.number === number);
  }

  /** The number of the next pull request. */
  takeNumber(): number {
    this.#newestNumber = Math.max(this.#newestNumber, ...this.rows().map((row) => row.number)) + 1;
    return this.#newestNumber;
  }

  /** Adds a pull request in full shape. */
  insert(row: PullRow, shape: PullShape): void {
    this.#shapes.set(row.id, shape);
    this.#rows = [...this.rows(), row];
  }

  /** Overrides fields of a pull request; `updated_at` becomes `updatedAt`. False when there is none. */
  change(number: number, fields: PullShape, updatedAt: number): boolean {
    const row = this.row(number);
    if (!row) return false;
    const stamped = { updated_at: new Date(updatedAt).toISOString().replace(/\.\d+Z$/, 'Z'), ...fields };
    this.#changes.set(row.id, { ...this.#changes.get(row.id), ...stamped });
    const state = typeof fields.state === 'string' ? fields.state : row.state;
    this.#rows = this.rows().map((each) => (each === row ? { ...row, updatedAt, state } : each));
    return true;
  }

  remove(number: number): boolean {
    this.#newestNumber = Math.max(this.#newestNumber, number);
    const kept = this.rows().filter((row) => row.number !== number);
    const isGone = kept.length < this.rows().length;
    this.#rows = kept;
    return isGone;
  }
}

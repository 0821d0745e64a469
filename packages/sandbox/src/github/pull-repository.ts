import { type GithubLinks, isoSeconds } from './links.ts';
import type { PullShape } from './pull-shape.ts';
import { type ActivitySource, RepositoryActivity } from './repository-activity.ts';
import { RepositoryScene } from './repository-scene.ts';
import { type UserType, userShape } from './user-shape.ts';

/** The fields of a pull request for finding, filtering and sorting. Times in ms since 1970. */
export interface PullRow {
  /** Its index in the source, by which sources find the record. */
  key: number;
  id: number;
  number: number;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  state: string;
  /** `owner:branch`, if there is one. */
  headLabel: string;
  baseRef: string;
  comments: number;
}

/** The source of a repository's pull requests. Rows are created once, records when they are served. */
export interface PullSource {
  rows(): PullRow[];
  shape(row: PullRow, form: 'list' | 'single', links: GithubLinks): PullShape;
  /** Returns the list form as JSON, for sources that can write it faster than `shape` and JSON.stringify. */
  text?(row: PullRow, links: GithubLinks): Buffer;
  /** Fills caches in advance, so that the first requests are not slower than later ones. */
  prepare?(links: GithubLinks): void;
  /** Returns the response to GET /repos/{owner}/{repo}. */
  repositoryShape(links: GithubLinks): Record<string, unknown>;
}

/** The place of a repository and who can see it. */
export interface RepositoryPlace {
  id: number;
  owner: string;
  name: string;
  /** Logins that can see it; default: everyone. */
  visibleTo?: readonly string[];
  /** Logins of collaborators and members of its organisation, who find it in GET /user/repos. */
  members?: readonly string[];
}

/** A repository with its pull requests and the changes made to them since the start. */
export class PullRepository {
  readonly id: number;
  owner: string;
  /** Type of the owner after a transfer; undefined before. */
  ownerType: UserType | undefined;
  name: string;
  /** Logins that can see it; undefined for everyone. */
  visibleTo: readonly string[] | undefined;
  members: readonly string[];
  isArchived = false;
  /** Whether it is a fork; undefined as its source says. */
  isFork: boolean | undefined;
  /** Time of the last push since the start, ms since 1970. */
  pushedAt: number | undefined;
  readonly #place: RepositoryPlace;
  readonly #source: PullSource;
  readonly #activitySource: ActivitySource | undefined;
  /** Issues, comments and all else beside pull requests. */
  readonly activity: RepositoryActivity;
  #scene: RepositoryScene | undefined;
  readonly #changes = new Map<number, PullShape>();
  readonly #shapes = new Map<number, PullShape>();
  #rows: PullRow[] | undefined;
  /** The highest number so far; numbers of deleted pull requests are not reused. */
  #newestNumber = 0;

  constructor(place: RepositoryPlace, source: PullSource, activity?: ActivitySource) {
    this.id = place.id;
    this.owner = place.owner;
    this.name = place.name;
    this.visibleTo = place.visibleTo;
    this.members = place.members ?? [];
    this.#place = place;
    this.#source = source;
    this.#activitySource = activity;
    this.activity = new RepositoryActivity(activity);
  }

  /** Returns the same repository with another id. */
  withId(id: number): PullRepository {
    return new PullRepository({ ...this.#place, id }, this.#source, this.#activitySource);
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  prepare(links: GithubLinks): void {
    this.rows();
    this.#source.prepare?.(links);
    this.activity.prepare(this.scene(links));
  }

  /** Returns what its records link to, under its present name. */
  scene(links: GithubLinks): RepositoryScene {
    const known = this.#scene;
    const { owner, name } = this;
    const isKnown =
      known?.links.api === links.api &&
      known.facts.owner === owner &&
      known.facts.name === name &&
      known.isPrivate === (this.visibleTo !== undefined);
    if (isKnown) return known;
    this.#scene = new RepositoryScene(links, { id: this.id, owner, name }, this.repositoryShape(links));
    return this.#scene;
  }

  rows(): readonly PullRow[] {
    this.#rows ??= this.#source.rows();
    return this.#rows;
  }

  /** Returns the pull request in GitHub's format. */
  shape(row: PullRow, form: 'list' | 'single', links: GithubLinks): PullShape {
    const source = this.#shapes.get(row.id) ?? this.#source.shape(row, form, links);
    const base = this.#isMoved ? this.#withPlace(source, links) : source;
    const changes = this.#changes.get(row.id);
    return changes ? { ...base, ...changes } : base;
  }

  /** Returns the pull request in list form as JSON. */
  text(row: PullRow, links: GithubLinks): Buffer {
    const isAsMade = !this.#isMoved && !this.#shapes.has(row.id) && !this.#changes.has(row.id);
    const text = isAsMade ? this.#source.text?.(row, links) : undefined;
    return text ?? Buffer.from(JSON.stringify(this.shape(row, 'list', links)));
  }

  repositoryShape(links: GithubLinks): Record<string, unknown> {
    const shape = this.#source.repositoryShape(links);
    const isPrivate = this.visibleTo !== undefined;
    const hasNewVisibility = isPrivate !== (this.#place.visibleTo !== undefined);
    return {
      ...shape,
      id: this.id,
      ...this.#placeFields(links),
      ...(hasNewVisibility ? { private: isPrivate, visibility: isPrivate ? 'private' : 'public' } : {}),
      ...(this.isFork === undefined ? {} : { fork: this.isFork }),
      ...(this.isArchived ? { archived: true } : {}),
      ...(this.pushedAt === undefined ? {} : { pushed_at: isoSeconds(this.pushedAt) }),
    };
  }

  get #isMoved(): boolean {
    return this.owner !== this.#place.owner || this.name !== this.#place.name;
  }

  #placeFields(links: GithubLinks): Record<string, unknown> {
    const owner =
      this.owner === this.#place.owner ? {} : { owner: userShape(links, this.owner, this.ownerType) };
    return { name: this.name, full_name: this.fullName, ...owner };
  }

  /** Names the base repository of a pull request as it is called now. */
  #withPlace(pull: PullShape, links: GithubLinks): PullShape {
    const base = pull.base as { repo?: object | null } | null | undefined;
    if (!base?.repo) return pull;
    return { ...pull, base: { ...base, repo: { ...base.repo, ...this.#placeFields(links) } } };
  }

  row(number: number): PullRow | undefined {
    return this.rows().find((row) => row.number === number);
  }

  /** Returns the number for the next pull request or issue. */
  takeNumber(): number {
    this.#newestNumber = Math.max(
      this.#newestNumber,
      this.activity.newestNumber(),
      ...this.rows().map((row) => row.number),
    );
    this.#newestNumber += 1;
    return this.#newestNumber;
  }

  /** Adds a pull request with all fields. */
  insert(row: PullRow, shape: PullShape): void {
    this.#shapes.set(row.id, shape);
    this.pushedAt = Date.now();
    this.#rows = [...this.rows(), row];
  }

  /** Overrides fields of a pull request and its `updated_at`. Returns false if it does not exist. */
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

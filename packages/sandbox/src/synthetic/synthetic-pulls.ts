import type { GithubLinks } from '../github/links.ts';
import type { PullFacts } from '../github/pull-facts.ts';
import type { PullRow, PullSource } from '../github/pull-repository.ts';
import { type PullShape, PullShaper } from '../github/pull-shape.ts';
import { fullRepositoryShape } from '../github/repository-shape.ts';
import type { SamplePulls } from '../samples/pulls/sample-pulls.ts';
import { PullTemplate } from './pull-template.ts';

const KINDS = 97;
/** Few pull requests of open repositories have assignees and a milestone; theirs here are as large as recorded ones. */
const PLANNED_EVERY = 16;
const STEP = 20 * 60_000;

/** Any number of pull requests of 97 kinds; each kind is drawn once, the rest is arithmetic. */
export class SyntheticPulls implements PullSource {
  readonly #count: number;
  readonly #start: number;
  readonly #sample: SamplePulls;
  readonly #kinds = new Map<number, PullFacts>();
  #made: { key: string; shaper: PullShaper; templates: Map<number, PullTemplate> } | undefined;

  constructor(count: number, anchor: number, sample: SamplePulls) {
    this.#count = count;
    this.#start = anchor - count * STEP;
    this.#sample = sample;
  }

  rows(): PullRow[] {
    const { shaper } = this.#madeFor({ web: '', api: '' });
    return Array.from({ length: this.#count }, (_, key) => {
      const { number, createdAt, updatedAt, closedAt, state, baseRef, headOwner, headRef, size } =
        this.#facts(key);
      const headLabel = `${headOwner ?? ''}:${headRef}`;
      return {
        key,
        id: shaper.pullId(number),
        number,
        createdAt,
        updatedAt,
        closedAt,
        state,
        baseRef,
        headLabel,
        comments: size.comments,
      };
    });
  }

  shape(row: PullRow, form: 'list' | 'single', links: GithubLinks): PullShape {
    return this.#madeFor(links).shaper.shape(this.#facts(row.key), form);
  }

  text(row: PullRow, links: GithubLinks): Buffer {
    const { shaper, templates } = this.#madeFor(links);
    const kind = row.key % KINDS;
    const template = templates.get(kind) ?? new PullTemplate(shaper, this.#kind(kind));
    templates.set(kind, template);
    return template.fill(this.#facts(row.key));
  }

  repositoryShape(links: GithubLinks): Record<string, unknown> {
    return fullRepositoryShape(links, this.#sample.repository());
  }

  #kind(kind: number): PullFacts {
    const found = this.#kinds.get(kind);
    if (found) return found;
    const facts = this.#sample.facts(kind);
    const made = kind % PLANNED_EVERY === 0 ? facts : { ...facts, assignees: [], milestone: null };
    this.#kinds.set(kind, made);
    return made;
  }

  #facts(key: number): PullFacts {
    const kind = this.#kind(key % KINDS);
    const createdAt = this.#start + key * STEP;
    const end = this.#start + this.#count * STEP;
    const moved = (time: number) => Math.min(createdAt + time - kind.createdAt, end);
    const closedAt = kind.closedAt === null ? null : moved(kind.closedAt);
    return {
      ...kind,
      number: key + 1,
      createdAt,
      updatedAt: moved(kind.updatedAt),
      closedAt,
      mergedAt: kind.mergedAt === null ? null : closedAt,
    };
  }

  #madeFor(links: GithubLinks) {
    const key = `${links.web} ${links.api}`;
    if (this.#made?.key !== key)
      this.#made = { key, shaper: new PullShaper(links, this.#sample.repository()), templates: new Map() };
    return this.#made;
  }
}

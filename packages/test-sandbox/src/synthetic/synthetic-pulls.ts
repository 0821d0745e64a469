import {
  fullRepositoryShape,
  type GithubLinks,
  type PullFacts,
  type PullRow,
  type PullShape,
  PullShaper,
  type PullSource,
  type SamplePulls,
} from '@datadeck/sandbox/parts';
import { PullTemplate } from './pull-template.ts';

const KINDS = 97;
/** One pull request in this many has assignees and a milestone, as in open-source repositories; sizes are as recorded. */
const PLANNED_EVERY = 16;
const STEP = 20 * 60_000;
/** Maximum number of cached texts, those of the most recently served pull requests: some 100 MB. */
const MAX_KEPT = 6000;
const CHUNK_BYTES = 4 * 1024 * 1024;

interface Made {
  key: string;
  shaper: PullShaper;
  templates: Map<number, PullTemplate>;
  /** By the pull request's key. */
  texts: Map<number, Buffer>;
  memory: BufferPool;
}

/** Allocates many texts in few buffers, because thousands of small buffers would burden the garbage collector. */
class BufferPool {
  #piece = Buffer.alloc(0);
  #used = 0;

  /** @param bytes at most the size of one buffer */
  take = (bytes: number): Buffer => {
    if (this.#used + bytes > this.#piece.length) {
      this.#piece = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      this.#used = 0;
    }
    this.#used += bytes;
    return this.#piece.subarray(this.#used - bytes, this.#used);
  };
}

/** Any number of pull requests of 97 kinds. Each kind is generated once; the rest is computed. */
export class SyntheticPulls implements PullSource {
  readonly #count: number;
  readonly #start: number;
  readonly #sample: SamplePulls;
  readonly #kinds = new Map<number, PullFacts>();
  #made: Made | undefined;

  constructor(count: number, anchor: number, sample: SamplePulls) {
    this.#count = count;
    this.#start = anchor - count * STEP;
    this.#sample = sample;
  }

  rows(): PullRow[] {
    const shaper = new PullShaper({ web: '', api: '' }, this.#sample.repository());
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

  text({ key }: Pick<PullRow, 'key'>, links: GithubLinks): Buffer {
    const made = this.#madeFor(links);
    const text = made.texts.get(key) ?? this.#write(key, made);
    made.texts.delete(key);
    made.texts.set(key, text);
    if (made.texts.size > MAX_KEPT) made.texts.delete(made.texts.keys().next().value ?? 0);
    return text;
  }

  /** Generates the newest ones, as many as the cache holds. */
  prepare(links: GithubLinks): void {
    for (let key = Math.max(0, this.#count - MAX_KEPT); key < this.#count; key++) this.text({ key }, links);
  }

  #write(key: number, { shaper, templates, memory }: Made): Buffer {
    const kind = key % KINDS;
    const template = templates.get(kind) ?? new PullTemplate(shaper, this.#kind(kind));
    templates.set(kind, template);
    return template.fill(this.#facts(key), memory.take);
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

  #madeFor(links: GithubLinks): Made {
    const key = `${links.web} ${links.api}`;
    const known = this.#made;
    if (known?.key === key) return known;
    const shaper = new PullShaper(links, this.#sample.repository());
    this.#made = { key, shaper, templates: new Map(), texts: new Map(), memory: new BufferPool() };
    return this.#made;
  }
}

import type { z } from 'zod';
import { ask, LARGE_COUNT, pick, SMALL_COUNT, spoilGithub, type World } from './provider-worlds.ts';
import type { TestServer } from './test-server.ts';

export type Random = () => number;

/** The compared part of a record. */
export interface Essence {
  id: string;
  /** Its date, by which stored records are ordered. */
  at: string;
}

export const DAY_MS = 86_400_000;
/** The repository of all worlds. */
export const NAME = 'ada-nowak/dotfiles';
/** Returns a time in GitHub's format. @param time ms since 1970 */
export const iso = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** Returns an integer from 0 up to `count - 1`. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** Returns a random size near the plan's cap. */
export function randomSize(random: Random): number {
  return SMALL_COUNT + below(random, LARGE_COUNT - SMALL_COUNT);
}

/** Compares records as the store orders them: the newest first. */
export function newestFirst(one: Essence, other: Essence): number {
  return other.at.localeCompare(one.at) || (other.id < one.id ? -1 : 1);
}

/** The records of one kind in ada-nowak/dotfiles on the sandbox's GitHub. */
export abstract class WorkWorld implements World {
  readonly provider = 'github';
  readonly settings = { owner: 'ada-nowak', repo: 'dotfiles' };
  abstract readonly entity: string;
  readonly #server: TestServer;
  readonly #token: () => Promise<string>;
  #time: number;

  constructor(server: TestServer, token: () => Promise<string>) {
    this.#server = server;
    this.#token = token;
    // Later than the records of the sample, and long enough ago that no record is created in the future.
    this.#time = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 5;
  }

  abstract begin(random: Random): void;
  abstract change(random: Random): void;
  abstract essence(id: string, content: unknown): Essence;
  /** Returns all records in the order in which they are kept: the plan's cap cuts off the last ones. */
  protected abstract all(): Promise<Essence[]>;

  protected get github() {
    return this.#server.control.github;
  }

  /** Returns a later time of creation at each call: the order of records of one second is not defined. */
  protected takeTime(): number {
    this.#time += 1000;
    return this.#time;
  }

  /** Fetches a list of the repository with up to a hundred records. */
  protected async list<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const url = `${this.#server.sandbox?.urls().githubApiUrl}/repos/${NAME}/${path}`;
    return ask(url, await this.#token(), schema);
  }

  spoil(random: Random): void {
    spoilGithub(this.#server.control, random);
  }

  async newest(cap: number, _before: readonly unknown[]): Promise<unknown[]> {
    return (await this.all()).slice(0, cap).sort(newestFirst);
  }
}

/** A record, and when it was updated. */
interface Named {
  /** Its number, by which it is changed. */
  name: number;
  updatedAt: unknown;
}

/** Records that people add, change and delete. */
export abstract class EditedWorld extends WorkWorld {
  protected abstract named(): Named[];
  /** @param dates of a record that existed before the history; absent for one that is created now */
  protected abstract insert(random: Random, dates: { created_at: string; updated_at?: string }): void;
  protected abstract update(random: Random, name: number): void;
  protected abstract remove(name: number): void;

  protected names(): number[] {
    return this.named().map(({ name }) => name);
  }

  /** Begins with records that were not updated lately, so that the next run does not read all of them again. */
  begin(random: Random): void {
    const size = randomSize(random);
    const hourAgo = iso(Date.now() - DAY_MS / 24);
    for (const { name, updatedAt } of this.named()) if (String(updatedAt) > hourAgo) this.remove(name);
    while (this.names().length > size) this.remove(pick(random, this.names()));
    while (this.names().length < size) {
      const created_at = iso(this.takeTime());
      this.insert(random, { created_at, updated_at: created_at });
    }
  }

  change(random: Random): void {
    const names = this.names();
    const kind = random();
    if (names.length < SMALL_COUNT || kind < 0.35) this.insert(random, { created_at: iso(this.takeTime()) });
    else if (kind < 0.6) this.remove(pick(random, names));
    else this.update(random, pick(random, names));
  }
}

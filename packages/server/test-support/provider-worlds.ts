import type { FaultName, SandboxControl } from '@datadeck/test-sandbox';
import { z } from 'zod';
import type { TestServer } from './test-server.ts';
import { keptPull } from './watched-collections.ts';

type Random = () => number;

/** A collection at a provider that changes randomly, and its expected copy. */
export interface World {
  provider: string;
  entity: string;
  settings: Record<string, string>;
  /** Changes the collection to a random size near the cap. */
  begin(random: Random): void;
  /** Makes one random insert, update, delete or move. */
  change(random: Random): void;
  /** Injects a fault that a run must survive. */
  spoil(random: Random): void;
  /** Permanently breaks the content of one record and returns its name; absent if only whole pages can fail. */
  fail?(random: Random): string;
  /** Returns the relevant part of a stored record, comparable with `newest`. */
  essence(id: string, content: unknown): unknown;
  /**
   * Returns the expected copy of the newest `cap` records, newest first, from the provider's API.
   * @param before the copy before the run if that read changes only; empty for one that read everything
   */
  newest(cap: number, before: readonly unknown[]): Promise<unknown[]>;
}

/** Sizes of a collection below and above the cap. */
export const LARGE_COUNT = 14;
export const SMALL_COUNT = 6;
const TRANSPORT: FaultName[] = [
  'http-500',
  'http-503',
  'html-error-body',
  'html-instead-of-json',
  'connection-reset',
  'reset-mid-body',
  'truncated-json',
  'invalid-json',
  'empty-body',
  'content-length-too-long',
];

/** Returns a random item. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Injects one or two faults of the same name into the next requests. */
function spoil(control: SandboxControl, api: 'gmail' | 'github', names: FaultName[], random: Random): void {
  const name = pick(random, names);
  control.fault({
    name,
    match: { api },
    times: 1 + Math.floor(random() * 2),
    afterRequests: Math.floor(random() * 6),
  });
}

/** Injects a fault of GitHub that a run must survive. */
export function spoilGithub(control: SandboxControl, random: Random): void {
  spoil(control, 'github', [...TRANSPORT, 'github-secondary-limit', 'github-reset-in-past'], random);
}

/** Fetches JSON. @throws Error for a refused request */
export async function ask<T>(url: string, token: string, schema: z.ZodType<T>): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'test' };
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return schema.parse(await response.json());
}

const pull = keptPull.extend({ id: z.number(), created_at: z.string() });

/** ada-nowak/dotfiles on the sandbox's GitHub. */
export class GithubWorld implements World {
  readonly provider = 'github';
  readonly entity = 'gh-pulls';
  readonly settings = { owner: 'ada-nowak', repo: 'dotfiles' };
  readonly #name = 'ada-nowak/dotfiles';
  readonly #server: TestServer;
  readonly #token: () => Promise<string>;

  constructor(server: TestServer, token: () => Promise<string>) {
    this.#server = server;
    this.#token = token;
  }

  get #github() {
    return this.#server.control.github;
  }

  begin(random: Random): void {
    const size = SMALL_COUNT + Math.floor(random() * (LARGE_COUNT - SMALL_COUNT));
    while (this.#github.pullNumbers(this.#name).length > size) this.#remove(random);
    while (this.#github.pullNumbers(this.#name).length < size) this.#github.insertPull(this.#name);
  }

  #remove(random: Random): void {
    this.#github.removePull(this.#name, pick(random, this.#github.pullNumbers(this.#name)));
  }

  change(random: Random): void {
    const numbers = this.#github.pullNumbers(this.#name);
    const kind = random();
    if (numbers.length < SMALL_COUNT || kind < 0.35) this.#github.insertPull(this.#name);
    else if (kind < 0.6) this.#remove(random);
    else this.#github.changePull(this.#name, pick(random, numbers), { title: `Changed ${random()}` });
  }

  spoil(random: Random): void {
    spoilGithub(this.#server.control, random);
  }

  essence(_id: string, content: unknown): unknown {
    return content;
  }

  async newest(cap: number): Promise<unknown[]> {
    const { githubApiUrl } = this.#server.sandbox?.urls() ?? {};
    const url = `${githubApiUrl}/repos/${this.#name}/pulls?state=all&per_page=100`;
    const pulls = await ask(url, await this.#token(), z.array(pull));
    pulls.sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
    return pulls.slice(0, cap);
  }
}

const EMAIL = 'ada.nowak@sandbox.example';
const listed = z.object({ messages: z.array(z.object({ id: z.string() })).default([]) });

/** One label of a mailbox on the sandbox's Gmail. */
export class GmailWorld implements World {
  readonly provider = 'google';
  readonly entity = 'gmail-messages';
  readonly settings: { labelIds: string };
  readonly #server: TestServer;
  readonly #token: () => Promise<string>;
  readonly #label: string;
  /** Messages that have or had the label. */
  readonly #known = new Set<string>();
  #date = Date.UTC(2026, 0, 1);

  constructor(server: TestServer, token: () => Promise<string>) {
    this.#server = server;
    this.#token = token;
    this.#label = server.control.gmail.createLabel(EMAIL, 'Histories');
    this.settings = { labelIds: this.#label };
  }

  get #gmail() {
    return this.#server.control.gmail;
  }

  #insert(random: Random): void {
    // Often at the same instant, sometimes older than existing messages.
    this.#date += Math.floor(random() * 3 - 0.5) * 60_000;
    this.#known.add(
      this.#gmail.insert(EMAIL, { labelIds: [this.#label], date: this.#date, text: `${random()}` }),
    );
  }

  #remove(random: Random): void {
    const id = pick(random, [...this.#known]);
    this.#known.delete(id);
    this.#gmail.remove(EMAIL, id);
  }

  begin(random: Random): void {
    const size = SMALL_COUNT + Math.floor(random() * (LARGE_COUNT - SMALL_COUNT));
    while (this.#known.size > size) this.#remove(random);
    while (this.#known.size < size) this.#insert(random);
  }

  change(random: Random): void {
    const kind = random();
    const id = pick(random, [...this.#known]);
    if (this.#known.size < SMALL_COUNT || kind < 0.3) this.#insert(random);
    else if (kind < 0.45) this.#remove(random);
    else if (kind < 0.55) this.#gmail.changeLabels(EMAIL, id, { add: ['STARRED'], remove: [] });
    else if (kind < 0.65) this.#gmail.changeLabels(EMAIL, id, { add: ['TRASH'], remove: [] });
    else if (kind < 0.8)
      this.#gmail.changeLabels(EMAIL, id, { add: [], remove: [this.#label, 'TRASH', 'STARRED'] });
    else if (kind < 0.98) this.#gmail.changeLabels(EMAIL, id, { add: [this.#label], remove: ['TRASH'] });
    else this.#gmail.expireHistory(EMAIL);
  }

  spoil(random: Random): void {
    const own: FaultName[] = [
      'gmail-user-rate-limit',
      'gmail-too-many-concurrent',
      'history-repeats',
      'history-gone',
    ];
    spoil(this.#server.control, 'gmail', [...TRANSPORT, ...own], random);
  }

  fail(random: Random): string {
    const id = pick(random, [...this.#known]);
    const path = new RegExp(`messages/${id}\\?format=full`);
    this.#server.control.fault({
      name: pick(random, ['http-500', 'html-instead-of-json', 'connection-reset']),
      match: { api: 'gmail', path },
      times: Number.POSITIVE_INFINITY,
    });
    return id;
  }

  essence(id: string, content: unknown): unknown {
    const { labelIds } = z.object({ labelIds: z.array(z.string()) }).parse(content);
    return { id, labelIds: [...labelIds].sort() };
  }

  async newest(cap: number): Promise<unknown[]> {
    const base = `${this.#server.sandbox?.urls().gmailApiUrl}/gmail/v1/users/me/messages`;
    const token = await this.#token();
    const list = await ask(`${base}?labelIds=${this.#label}&maxResults=500`, token, listed);
    const all = list.messages.flatMap(({ id }) => this.#gmail.message(EMAIL, id) ?? []);
    all.sort((a, b) => b.internalDate - a.internalDate || (b.id < a.id ? -1 : 1));
    return all.slice(0, cap).map(({ id, labelIds }) => ({ id, labelIds: [...labelIds].sort() }));
  }
}

import type { SandboxControl } from '@datadeck/test-sandbox';
import type { Product } from '../src/app/product.ts';
import type { Client } from './test-server.ts';

export type Random = () => number;

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** A record as the provider has it. */
export interface ProviderRecord {
  id: string;
  /** What is compared of its content. */
  content: string;
  /** By which the newest of several copies is chosen; empty where ids are per account. */
  updated: string;
}

/** What the name of a scope means at a provider: a place, another place, or nothing that the account may read. */
export type Place = { name: string; isMoved: boolean } | undefined;

/** Who connects an account: over the wire, or without its limits. */
export interface ConnectingUser {
  client: Client;
  product: Product;
  userId: string;
}

/** Collections at a provider that several accounts read, which change at random. */
export interface AccountWorld {
  provider: 'github' | 'google' | 'imap';
  entity: string;
  /** The template that shows each record, and the text by which a row names its record. */
  template: string;
  hasGlobalIds: boolean;
  accounts: readonly string[];
  connect(user: ConnectingUser, account: string): Promise<unknown>;
  /** Begins a history with new collections. */
  begin(random: Random): void | Promise<void>;
  /** Makes one random change. */
  change(random: Random): void | Promise<void>;
  /** Returns names and patterns of scopes of an account. */
  choose(random: Random, account: string): string[];
  settingsOf(name: string): Record<string, string>;
  keyOf(name: string): string;
  isPattern(name: string): boolean;
  /** Returns the names that a pattern means for an account. */
  expand(account: string, pattern: string): string[];
  find(account: string, name: string): Place;
  /** Returns all records of a place, newest first. */
  records(account: string, name: string): ProviderRecord[];
  /** Returns what is compared of a stored document. */
  contentOf(id: string, document: unknown): string;
  /** Makes the provider refuse what is stored of an account. */
  revoke(account: string, accessToken: () => Promise<string>): Promise<void>;
  /** Ends what the world holds open. */
  close?(): void;
}

const OWNERS = ['first', 'second'];
const LOGINS = ['ada-nowak', 'jonas-weber'] as const;
let round = 0;

interface Pull {
  id: number;
  number: number;
  title: string;
  created_at: string;
  updated_at: string;
}

/** A repository under its current name. */
interface Repository {
  name: string;
  isDeleted: boolean;
  visibleTo: readonly string[];
}

const contentOfPull = ({ number, title, updated_at }: Pull) => `${number} ${title} ${updated_at}`;

/** Repositories of two owners, which two accounts see. */
export class GithubAccounts implements AccountWorld {
  readonly provider = 'github';
  readonly entity = 'gh-pulls';
  readonly template = 'pulls-all';
  readonly hasGlobalIds = true;
  readonly accounts = LOGINS;
  readonly #control: SandboxControl;
  /** By every name that a repository has or had. */
  #names = new Map<string, Repository>();
  #owners: string[] = [];
  #renamed = 0;

  constructor(control: SandboxControl) {
    this.#control = control;
  }

  get #github() {
    return this.#control.github;
  }

  async connect({ client }: ConnectingUser, account: string): Promise<void> {
    await client.connect('github', account, 'private');
  }

  #places() {
    return [...new Set(this.#names.values())].filter(({ isDeleted }) => !isDeleted);
  }

  begin(random: Random): void {
    for (const { name } of this.#places()) this.#github.deleteRepository(name);
    this.#names = new Map();
    round += 1;
    this.#owners = OWNERS.map((owner) => `${owner}-${round}`);
    for (const owner of this.#owners)
      for (const name of this.#github.addRepositories({
        owner,
        count: 2,
        pulls: 0,
        members: LOGINS,
        prefix: owner,
      })) {
        this.#names.set(name, { name, isDeleted: false, visibleTo: LOGINS });
        for (let count = Math.floor(random() * 12); count > 0; count--) this.#insert(random, name);
      }
  }

  #otherOwner(name: string): string {
    return this.#owners.find((owner) => !name.startsWith(`${owner}/`)) ?? '';
  }

  #insert(random: Random, name: string): void {
    const created_at = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 30) * 60_000).toISOString();
    this.#github.insertPull(name, { title: `Pull ${random()}`, created_at: `${created_at.slice(0, 19)}Z` });
  }

  change(random: Random): void {
    const places = this.#places();
    if (places.length === 0) return;
    const place = pick(random, places);
    const { name } = place;
    const numbers = this.#github.pullNumbers(name);
    const kind = random();
    if (kind < 0.3 || (numbers.length === 0 && kind < 0.7)) this.#insert(random, name);
    else if (kind < 0.5)
      this.#github.changePull(name, pick(random, numbers), { title: `Changed ${random()}` });
    else if (kind < 0.7) this.#github.removePull(name, pick(random, numbers));
    else if (kind < 0.8) this.#move(place, `${name.split('/')[0]}/renamed-${++this.#renamed}`);
    else if (kind < 0.88) this.#move(place, `${this.#otherOwner(name)}/${name.split('/')[1]}`);
    else if (kind < 0.96) {
      place.visibleTo = random() < 0.5 ? LOGINS : [pick(random, LOGINS)];
      this.#github.setVisibility(name, place.visibleTo === LOGINS ? 'public' : place.visibleTo);
    } else {
      this.#github.deleteRepository(name);
      place.isDeleted = true;
    }
  }

  /** Renames or transfers a repository; its other names lead to it. */
  #move(place: Repository, name: string): void {
    const [owner = '', repository = ''] = name.split('/');
    if (place.name.startsWith(`${owner}/`)) this.#github.renameRepository(place.name, repository);
    else this.#github.transferRepository(place.name, owner);
    place.name = name;
    this.#names.set(name, place);
  }

  choose(random: Random): string[] {
    const names = [...this.#names.keys()].filter(() => random() < 0.5);
    const patterns = random() < 0.3 ? [`${pick(random, this.#owners)}/*`] : [];
    return [...names, ...patterns].length > 0
      ? [...names, ...patterns]
      : [pick(random, [...this.#names.keys()])];
  }

  settingsOf(name: string): Record<string, string> {
    const [owner = '', repo = ''] = name.split('/');
    return { owner, repo };
  }

  keyOf(name: string): string {
    return name.toLowerCase();
  }

  isPattern(name: string): boolean {
    return name.endsWith('/*');
  }

  expand(account: string, pattern: string): string[] {
    return this.#places()
      .filter(({ name, visibleTo }) => name.startsWith(pattern.slice(0, -1)) && visibleTo.includes(account))
      .map(({ name }) => name);
  }

  find(account: string, name: string): Place {
    const place = this.#names.get(name);
    if (!place || place.isDeleted || !place.visibleTo.includes(account)) return undefined;
    return { name: place.name, isMoved: place.name !== name };
  }

  records(_account: string, name: string): ProviderRecord[] {
    return this.#github
      .pullNumbers(name)
      .map((number) => this.#github.pull(name, number) as unknown as Pull)
      .sort((one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id)
      .map((pull) => ({ id: String(pull.id), content: contentOfPull(pull), updated: pull.updated_at }));
  }

  contentOf(_id: string, document: unknown): string {
    return contentOfPull(document as Pull);
  }

  async revoke(_account: string, accessToken: () => Promise<string>): Promise<void> {
    this.#github.revoke(await accessToken());
  }
}

const MAILBOXES = ['ada.nowak@sandbox.example', 'jonas.weber@sandbox.example'] as const;
const LABELS = 3;

/** Labels of two mailboxes on the sandbox's Gmail. */
export class GmailAccounts implements AccountWorld {
  readonly provider = 'google';
  readonly entity = 'gmail-messages';
  readonly template = 'messages-all';
  readonly hasGlobalIds = false;
  readonly accounts = MAILBOXES;
  readonly #control: SandboxControl;
  #labels = new Map<string, string[]>();
  #deleted = new Set<string>();
  readonly #known = new Map<string, Set<string>>();

  constructor(control: SandboxControl) {
    this.#control = control;
  }

  get #gmail() {
    return this.#control.gmail;
  }

  async connect({ client }: ConnectingUser, account: string): Promise<void> {
    await client.connect('google', account);
  }

  begin(random: Random): void {
    round += 1;
    this.#deleted = new Set();
    for (const email of MAILBOXES) {
      for (const id of this.#known.get(email) ?? []) this.#gmail.remove(email, id);
      for (const label of this.#labels.get(email) ?? []) this.#gmail.deleteLabel(email, label);
      this.#known.set(email, new Set());
      this.#labels.set(
        email,
        Array.from({ length: LABELS }, (_, index) =>
          this.#gmail.createLabel(email, `History ${round}-${index}`),
        ),
      );
      for (let count = Math.floor(random() * 16); count > 0; count--) this.#insert(random, email);
    }
  }

  #insert(random: Random, email: string): void {
    const labels = (this.#labels.get(email) ?? []).filter((label) => !this.#deleted.has(`${email} ${label}`));
    const labelIds = labels.filter(() => random() < 0.5);
    const date = Date.UTC(2026, 0, 1) + Math.floor(random() * 30) * 60_000;
    const id = this.#gmail.insert(email, { labelIds, date, text: `${random()}` });
    this.#known.get(email)?.add(id);
  }

  change(random: Random): void {
    const email = pick(random, MAILBOXES);
    const known = this.#known.get(email) ?? new Set();
    const kind = random();
    if (known.size === 0 || kind < 0.35) {
      this.#insert(random, email);
      return;
    }
    const id = pick(random, [...known]);
    const label = pick(random, this.#labels.get(email) ?? []);
    const isDeleted = this.#deleted.has(`${email} ${label}`);
    if (kind < 0.5) {
      this.#gmail.remove(email, id);
      known.delete(id);
    } else if (kind < 0.65 && !isDeleted) this.#gmail.changeLabels(email, id, { add: [label], remove: [] });
    else if (kind < 0.8) this.#gmail.changeLabels(email, id, { add: [], remove: [label] });
    else if (kind < 0.9) this.#gmail.changeLabels(email, id, { add: ['STARRED'], remove: [] });
    else if (kind < 0.94) this.#gmail.expireHistory(email);
    else if (kind < 0.98) this.#gmail.renameLabel(email, label, `Renamed ${random()}`);
    else if (!isDeleted) {
      this.#gmail.deleteLabel(email, label);
      this.#deleted.add(`${email} ${label}`);
    }
  }

  choose(random: Random, account: string): string[] {
    const labels = this.#labels.get(account) ?? [];
    const chosen = labels.filter(() => random() < 0.5);
    return chosen.length > 0 ? chosen : [pick(random, labels)];
  }

  settingsOf(name: string): Record<string, string> {
    return { labelIds: name };
  }

  keyOf(name: string): string {
    return name;
  }

  isPattern(): boolean {
    return false;
  }

  expand(): string[] {
    return [];
  }

  find(account: string, name: string): Place {
    return this.#deleted.has(`${account} ${name}`) ? undefined : { name, isMoved: false };
  }

  records(account: string, name: string): ProviderRecord[] {
    return [...(this.#known.get(account) ?? [])]
      .flatMap((id) => this.#gmail.message(account, id) ?? [])
      .filter(({ labelIds }) => labelIds.includes(name))
      .sort((one, other) => other.internalDate - one.internalDate || (other.id < one.id ? -1 : 1))
      .map(({ id, labelIds }) => ({ id, content: [...labelIds].sort().join(' '), updated: '' }));
  }

  contentOf(_id: string, document: unknown): string {
    return [...(document as { labelIds: string[] }).labelIds].sort().join(' ');
  }

  async revoke(_account: string, accessToken: () => Promise<string>): Promise<void> {
    this.#control.google.revoke(await accessToken());
  }
}

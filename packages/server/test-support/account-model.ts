import type { AccountWorld, ProviderRecord } from './account-world.ts';

export interface StoredRow {
  content: string;
  updated: string;
  scopes: Set<string>;
}
type Rows = Map<string, StoredRow>;

const copyOf = (rows: Rows): Rows =>
  new Map([...rows].map(([id, row]) => [id, { ...row, scopes: new Set(row.scopes) }]));

function renameIn(rows: Rows, from: string, to: string): void {
  for (const { scopes } of rows.values()) if (scopes.delete(from)) scopes.add(to);
}

/** What an account should be, and what is stored of it. */
export class AccountModel {
  readonly account: string;
  readonly #world: AccountWorld;
  readonly #cap: number;
  status: 'absent' | 'connected' | 'reconnect-needed' | 'disconnected' = 'absent';
  isShown = false;
  /** Whether the provider accepts its tokens. */
  isGranted = false;
  rows: Rows = new Map();
  /** Names and patterns of the source; empty without one. */
  source: string[] = [];
  /** The rows before each run that can be undone. */
  #before: Rows[] = [];
  /** These rows as the last run found them, and the scopes that it followed. */
  #found: Rows[] = [];
  #moves: { from: string; to: string }[] = [];

  constructor(world: AccountWorld, account: string, cap: number) {
    this.#world = world;
    this.account = account;
    this.#cap = cap;
  }

  /** Begins a run that may end in any way: the rows before it are kept. */
  begin(): void {
    this.#before.push(copyOf(this.rows));
    this.#found = this.#before.map(copyOf);
    this.#moves = [];
  }

  /** Restores the rows before the last run. */
  undo(): void {
    this.rows = this.#before.pop() ?? new Map();
  }

  forget(): void {
    this.rows = new Map();
    this.source = [];
    this.#before = [];
  }

  /** Reads scopes as a run should. @returns how it ends */
  read(texts: readonly string[], isList: boolean): 'finished' | 'failed' {
    if (!this.isGranted) {
      this.status = 'reconnect-needed';
      return 'failed';
    }
    const names = this.#resolve(texts);
    const read = names.filter((name) => this.#readScope(name, isList));
    return read.length > 0 ? 'finished' : 'failed';
  }

  #resolve(texts: readonly string[]): string[] {
    const { isPattern, expand } = this.#world;
    const named = texts.filter((text) => !isPattern.call(this.#world, text));
    const patterns = texts.filter((text) => isPattern.call(this.#world, text));
    const names = [
      ...named,
      ...patterns.flatMap((pattern) => expand.call(this.#world, this.account, pattern)),
    ];
    return [...new Map(names.map((name) => [this.#world.keyOf(name), name])).values()];
  }

  #readScope(name: string, isList: boolean): boolean {
    const place = this.#world.find(this.account, name);
    if (!place) return false;
    let key = this.#world.keyOf(name);
    if (place.isMoved && isList) {
      const to = this.#world.keyOf(place.name);
      this.#follow(key, place.name);
      key = to;
    }
    const newest = this.#world.records(this.account, place.name).slice(0, this.#cap);
    this.#write(key, newest);
    return true;
  }

  /** Moves the rows of a scope, also those to restore, and its name in the source. */
  #follow(from: string, name: string): void {
    const to = this.#world.keyOf(name);
    for (const rows of [this.rows, ...this.#before]) renameIn(rows, from, to);
    this.#moves.push({ from, to });
    const renamed = this.source.map((text) => (this.#world.keyOf(text) === from ? name : text));
    this.source = [...new Map(renamed.map((text) => [this.#world.keyOf(text), text])).values()];
  }

  #write(key: string, newest: readonly ProviderRecord[]): void {
    const ids = new Set(newest.map(({ id }) => id));
    for (const [id, { scopes }] of this.rows) {
      if (!ids.has(id)) scopes.delete(key);
      if (scopes.size === 0) this.rows.delete(id);
    }
    for (const { id, content, updated } of newest) {
      const scopes = this.rows.get(id)?.scopes ?? new Set();
      this.rows.set(id, { content, updated, scopes: scopes.add(key) });
    }
  }

  /** Takes what a cancelled run has stored. It followed a scope if the source has its new name. */
  adopt(rows: Rows, source: string[]): void {
    this.rows = rows;
    this.source = source;
    this.#before = this.#found;
    const keys = source.map((text) => this.#world.keyOf(text));
    for (const { from, to } of this.#moves)
      if (!keys.includes(from)) for (const before of this.#before) renameIn(before, from, to);
  }
}

/** The accounts of a provider in the order in which they were first connected. */
export class ProviderModel {
  readonly world: AccountWorld;
  readonly accounts: AccountModel[];
  /** Names of accounts in the order of their first connection. */
  #order: string[] = [];

  constructor(world: AccountWorld, cap: number) {
    this.world = world;
    this.accounts = world.accounts.map((account) => new AccountModel(world, account, cap));
  }

  get known(): AccountModel[] {
    return this.#order.flatMap((name) => this.accounts.filter(({ account }) => account === name));
  }

  get shown(): AccountModel[] {
    return this.known.filter(({ isShown }) => isShown);
  }

  get #inUse(): AccountModel[] {
    return this.known.filter(({ status }) => status !== 'disconnected');
  }

  connect(account: AccountModel): void {
    if (!this.#order.includes(account.account)) this.#order.push(account.account);
    Object.assign(account, { status: 'connected', isShown: true, isGranted: true });
    for (const one of this.known) if (one.status === 'disconnected') one.isShown = false;
  }

  disconnect(accounts: readonly AccountModel[]): void {
    const isAll = this.#inUse.every((one) => accounts.includes(one));
    for (const one of accounts)
      if (one.status !== 'disconnected')
        Object.assign(one, { status: 'disconnected', isShown: isAll, isGranted: false });
  }

  deleteData(accounts: readonly AccountModel[]): void {
    for (const one of accounts) {
      one.forget();
      if (one.status !== 'disconnected') continue;
      Object.assign(one, { status: 'absent', isShown: false });
      this.#order = this.#order.filter((name) => name !== one.account);
    }
  }

  /** Returns the rows that the template shows: `account` has each account whose copy may be the newest one. */
  rowsOf(accounts: readonly AccountModel[]): { id: string; account: string[]; accounts: string[] | null }[] {
    if (!this.world.hasGlobalIds)
      return accounts.flatMap(({ account, rows }) =>
        [...rows.keys()].map((id) => ({ id, account: [account], accounts: null })),
      );
    const ids = new Set(accounts.flatMap(({ rows }) => [...rows.keys()]));
    return [...ids].map((id) => {
      const copies = accounts.filter(({ rows }) => rows.has(id));
      const newest = copies
        .map(({ rows }) => rows.get(id)?.updated ?? '')
        .sort()
        .at(-1);
      const account = copies.filter(({ rows }) => rows.get(id)?.updated === newest);
      return {
        id,
        account: account.map((one) => one.account),
        accounts: copies.map((one) => one.account),
      };
    });
  }
}

/** Returns rows in a form that is compared without regard to their order. */
export function plain(rows: ReadonlyMap<string, StoredRow>) {
  return [...rows]
    .map(([id, { content, scopes }]) => ({ id, content, scopes: [...scopes].sort() }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

import type { ServiceShape } from './shape.ts';

/** A record of the service. */
export interface Item {
  id: string;
  number: number;
  title: string | null;
  state: string;
  labels: string[];
  author: string;
  created: string;
  updated: string;
  /** Grows with each change of any record. */
  revision: number;
  /** Index of its board. */
  board: number;
}

/** A board or a workspace. */
export interface Group {
  id: string;
  name: string;
  created: string;
}

const BEGUN = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** Time between two changes. */
const TICK_MS = 7000;
const ITEMS = 61;
/** Ids have characters that a path must encode. */
const groupOf = (kind: string, index: number): Group => ({
  id: `${kind} ${index}/ü?`,
  name: `The ${kind} ${index}`,
  created: new Date(BEGUN - index * DAY_MS).toISOString(),
});

/** Returns the time by which a list is in order, ms since 1970. An unreadable date is that of the last change. */
export function timeIn(order: 'updated' | 'created', { created, updated }: Item): number {
  return (order === 'created' ? Date.parse(created) : 0) || Date.parse(updated);
}

/** Malformed records, by name. */
const ODDITIES: Readonly<Record<string, Partial<Item>>> = {
  'no title': { title: null },
  'a long title': { title: 'long '.repeat(20_000) },
  'odd dates': { created: 'yesterday' },
  'half a pair': { title: 'NUL \u0000 and half a pair \ud800' },
};

/** The records of a service, with a clock that moves by each change. */
export class Items {
  readonly workspaces = [groupOf('workspace', 1), groupOf('workspace', 2)];
  /** The first two belong to the first workspace. */
  readonly boards = [1, 2, 3].map((index) => groupOf('board', index));
  readonly #items = new Map<string, Item>();
  #revision = 0;
  /** Time of the last change, ms since 1970. */
  now = BEGUN;

  constructor() {
    for (let number = 1; number <= ITEMS; number++) {
      const created = BEGUN + number * 300 * MINUTE_MS;
      const updated = created + (((number * 37) % 50) * 60 + number) * MINUTE_MS;
      this.#put(
        { title: `Item ${number}, "quoted"; <b>`, created: new Date(created).toISOString() },
        updated,
      );
      this.now = Math.max(this.now, updated);
    }
    this.now = Math.ceil(this.now / DAY_MS) * DAY_MS;
  }

  get all(): Item[] {
    return [...this.#items.values()];
  }

  #put(values: Partial<Item>, updated: number): string {
    const number = values.number ?? this.#items.size + 1;
    const item: Item = {
      id: String(number),
      number,
      title: 'Untitled',
      state: number % 3 === 0 ? 'closed' : 'open',
      labels: ['bug', 'later', 'ui'].slice(0, number % 4),
      author: number % 2 ? 'Ada' : 'Ben & Co',
      created: new Date(updated).toISOString(),
      board: number % this.boards.length,
      ...values,
      updated: new Date(updated).toISOString(),
      revision: ++this.#revision,
    };
    this.#items.set(item.id, item);
    return item.id;
  }

  #tick(): number {
    this.now += TICK_MS;
    return this.now;
  }

  /** Adds a record. @returns its id */
  add(): string {
    return this.#put({ title: 'One more' }, this.#tick());
  }

  /** Adds a malformed record. @returns its id */
  addOddity(name: string): string {
    return this.#put(ODDITIES[name] ?? {}, this.#tick());
  }

  change(id: string): void {
    const item = this.#items.get(id);
    if (item) this.#put({ ...item, title: 'Changed', state: 'closed' }, this.#tick());
  }

  /** Returns ids as the product lists them: lists in an order as they are, others by the date of creation. */
  idsIn({ order, parents }: Pick<ServiceShape, 'order' | 'parents'>): string[] {
    const isListed = parents === 'none' && order !== 'unsorted';
    const timeOf = (item: Item) => (isListed ? timeIn(order, item) : Date.parse(item.created) || 0);
    const compareIds = (a: string, b: string) => (a < b ? 1 : -1);
    return this.all.sort((a, b) => timeOf(b) - timeOf(a) || compareIds(a.id, b.id)).map(({ id }) => id);
  }
}

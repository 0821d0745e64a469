import { type SmallServer, startSmallServer } from '../../src/sdk/conformance/small-server.ts';

/** A note as the service sends it. */
export interface Note {
  id: string;
  number: number;
  created: string;
  title: string | null;
}

/** The last change of one note. */
interface Change {
  sequence: number;
  id: string;
  /** The note; null if it was deleted. */
  note: Note | null;
}

/** A parsed request. */
export interface NotesRequest {
  path: string;
  query: URLSearchParams;
  token: string;
}

export interface NotesAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Sends the body up to this length and never ends it. */
  isStalled?: boolean;
  isReset?: boolean;
}

/** Names of the notebooks. All have the same notes. */
export const NOTEBOOKS = ['work', 'home', 'ideas'];

const BEGUN = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/** An in-memory service with one notebook: lists its notes, newest first, and the changes since a position. */
export class Notebook {
  readonly #notes = new Map<string, Note>();
  readonly #changes = new Map<string, Change>();
  #sequence = 0;
  /** Changes up to this position are expired. */
  #forgotten = 0;
  #made = 0;

  constructor(count: number) {
    for (let index = 0; index < count; index++) this.add(`Note ${index + 1}`);
  }

  #put(id: string, note: Note | null): void {
    if (note) this.#notes.set(id, note);
    else this.#notes.delete(id);
    this.#sequence++;
    this.#changes.set(id, { sequence: this.#sequence, id, note });
  }

  /** Adds a note. @returns its id */
  add(title: string | null): string {
    const number = ++this.#made;
    const id = `note-${number}`;
    this.#put(id, { id, number, created: new Date(BEGUN + number * MINUTE_MS).toISOString(), title });
    return id;
  }

  change(id: string): void {
    const note = this.#notes.get(id);
    if (note) this.#put(id, { ...note, title: 'Changed' });
  }

  remove(id: string): void {
    this.#put(id, null);
  }

  forgetChanges(): void {
    this.#forgotten = this.#sequence;
  }

  get ids(): string[] {
    return this.#newestFirst().map(({ id }) => id);
  }

  #newestFirst(): Note[] {
    return [...this.#notes.values()].sort((a, b) => b.number - a.number);
  }

  /** Answers an authenticated request. */
  answer({ path, query }: NotesRequest): NotesAnswer {
    const limit = Number(query.get('limit') ?? 20);
    if (path === '/head') return { status: 200, body: { count: this.#notes.size, sequence: this.#sequence } };
    if (path === '/notebooks') return { status: 200, body: { notebooks: NOTEBOOKS } };
    if (path === '/notes') {
      const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
      const left = this.#newestFirst().filter(({ number }) => number < before);
      return { status: 200, body: { notes: left.slice(0, limit), hasMore: left.length > limit } };
    }
    if (path !== '/changes') return { status: 404, body: { message: 'there is no such page' } };
    const after = Number(query.get('after'));
    if (after < this.#forgotten) return { status: 410, body: { message: 'these changes are forgotten' } };
    const left = [...this.#changes.values()]
      .filter(({ sequence }) => sequence > after)
      .sort((a, b) => a.sequence - b.sequence);
    return { status: 200, body: { changes: left.slice(0, limit), hasMore: left.length > limit } };
  }
}

/** Serves the results of `answer` over HTTP. */
export function serveNotes(answer: (request: NotesRequest) => NotesAnswer): Promise<SmallServer> {
  return startSmallServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://notes');
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const { status, body, headers, isStalled, isReset } = answer({
      path: pathname,
      query: searchParams,
      token,
    });
    if (isReset) return request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (isStalled) return response.write('{');
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

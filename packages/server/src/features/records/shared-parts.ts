import type { ConnectorRecord, SharedPart, SharedPiece } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type { CopyRows } from '../../platform/db/copy.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { RecordSource } from './source.ts';
import { textArray } from './text-array.ts';

/** Marks in a stored document: a byte that no JSON holds, and a letter for the place in the list of parts. */
const MARK = '\u0001';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MARKS = Array.from(LETTERS, (letter) => Buffer.from(`${MARK}${letter}`));
/** A part that runs go on meeting is noted as used so often at most. */
const STILL_USED_MS = 3_600_000;
/** Parts that no record refers to are kept for so long: a page that refers to one may be on its way. */
const KEPT = sql.raw("interval '1 day'");

/** A document to be stored, with marks in the place of its shared parts. */
export class MarkedDocument {
  readonly #document: Buffer;
  readonly #pieces: readonly SharedPiece[];
  /** Of each piece that has a mark, which. */
  readonly #marks: Buffer[] = [];
  /** The hashes of its parts in the order of their marks; null where there are none. */
  readonly parts: readonly string[] | null;
  /** Its length, bytes. */
  readonly length: number;

  /** @param pieces the places of shared parts; of those beyond the last mark nothing is taken out */
  constructor(document: Buffer, pieces: readonly SharedPiece[] = []) {
    const parts: string[] = [];
    let length = document.length;
    for (const { start, end, part } of pieces) {
      const known = parts.indexOf(part.hash);
      const place = known >= 0 ? known : parts.length;
      const mark = MARKS[place];
      if (!mark) break;
      parts[place] = part.hash;
      this.#marks.push(mark);
      length += mark.length - (end - start);
    }
    this.#document = document;
    this.#pieces = pieces;
    this.parts = parts.length === 0 ? null : parts;
    this.length = length;
  }

  /** Writes it as a value of a row. */
  writeTo(copy: CopyRows): void {
    copy.begin(this.length);
    this.#forEachPiece((source, start, end) => copy.piece(source, start, end));
  }

  toString(): string {
    let text = '';
    this.#forEachPiece((source, start, end) => {
      text += source.toString('utf8', start, end);
    });
    return text;
  }

  /** Goes through what stands between the parts, and the marks in their places. */
  #forEachPiece(take: (source: Buffer, start: number, end: number) => void): void {
    let from = 0;
    for (const [index, mark] of this.#marks.entries()) {
      const { start = 0, end = 0 } = this.#pieces[index] ?? {};
      take(this.#document, from, start);
      take(mark, 0, mark.length);
      from = end;
    }
    take(this.#document, from, this.#document.length);
  }
}

/** The whole document of a row of `records` or `record_undo`, as text. @param row the name that a statement has for it, if any */
export function documentOf(row?: 'r' | 'a' | 'b'): SQL {
  const of = sql.raw(row === undefined ? '' : `${row}.`);
  return sql`case when ${of}parts is null then ${of}data
    else whole_document(${of}user_id, ${of}connection_id, ${of}entity, ${of}data, ${of}parts) end`;
}

/** Where and when a part was stored or noted as used; a part belongs to one run. */
const kept = new WeakMap<SharedPart, { connectionId: string; entity: string; at: number }>();

function isKept(part: SharedPart, source: RecordSource): boolean {
  const last = kept.get(part);
  const isHere = last?.connectionId === source.connectionId && last.entity === source.entity;
  return isHere && last.at > Date.now() - STILL_USED_MS;
}

/**
 * Stores the shared parts of records, before the records. Not in their transaction: two that bring the same part would
 * wait for each other.
 * @param owner a select that locks what a deletion of the source deletes first: without it nothing is stored
 */
export async function keepParts(
  db: Queryable,
  source: RecordSource,
  records: readonly ConnectorRecord[],
  owner: SQL,
): Promise<void> {
  const { userId, connectionId, entity } = source;
  const met = new Map<string, SharedPart>();
  for (const { shared } of records)
    for (const { part } of shared ?? []) if (!isKept(part, source)) met.set(part.hash, part);
  if (met.size === 0) return;
  // In one order everywhere: statements that lock rows in two orders would wait for each other.
  const hashes = [...met.keys()].sort();
  const texts = hashes.map((hash) => met.get(hash)?.text.toString() ?? '');
  await db.execute(sql`
    with owner as (${owner})
    insert into record_parts (user_id, connection_id, entity, hash, text)
    select ${userId}, ${connectionId}, ${entity}, hash, text from owner, unnest(${textArray(hashes)}, ${textArray(texts)}) p(hash, text)
    on conflict (user_id, connection_id, entity, hash) do update set used_at = now()`);
  for (const part of met.values()) kept.set(part, { connectionId, entity, at: Date.now() });
}

/** Whether documents of a source share parts. */
export async function holdsParts(
  db: Queryable,
  { userId, connectionId, entity }: RecordSource,
): Promise<boolean> {
  const { rows } = await db.execute<{ exists: boolean }>(sql`
    select exists(select from record_parts where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity})`);
  return rows[0]?.exists === true;
}

/** A document as it is stored, a column each. */
export interface StoredDocument {
  stored: string;
  parts: string[] | null;
}

/** A document in pieces: texts, and between them parts by their numbers. */
export interface DocumentPieces {
  texts: string[];
  parts: number[];
}

/**
 * Takes apart the documents of one source as they are read; each part is told once. For many of them this is faster than
 * `document` in a statement, by which parts are put in and sent over and over.
 */
export class DocumentReader {
  readonly #execute: (statement: SQL) => Promise<{ hash: string; text: string }[]>;
  readonly #source: RecordSource;
  /** Parts told so far, by hash. */
  readonly #numbers = new Map<string, number>();

  /** @param execute runs a statement, in the snapshot of that which reads the documents */
  constructor(execute: (statement: SQL) => Promise<{ hash: string; text: string }[]>, source: RecordSource) {
    this.#execute = execute;
    this.#source = source;
  }

  /** @returns the documents, and the parts that they are the first to hold: their numbers follow those told before */
  async read(
    documents: readonly StoredDocument[],
  ): Promise<{ parts: string[]; documents: DocumentPieces[] }> {
    const hashes = new Set(documents.flatMap(({ parts }) => parts ?? []));
    const parts = await this.#meet([...hashes].filter((hash) => !this.#numbers.has(hash)));
    return { parts, documents: documents.map((document) => this.#piecesOf(document)) };
  }

  async #meet(hashes: string[]): Promise<string[]> {
    if (hashes.length === 0) return [];
    const { userId, connectionId, entity } = this.#source;
    const found = await this.#execute(sql`
      select hash, text from record_parts
      where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and hash = any(${textArray(hashes)})`);
    for (const { hash } of found) this.#numbers.set(hash, this.#numbers.size);
    return found.map(({ text }) => text);
  }

  #piecesOf({ stored, parts }: StoredDocument): DocumentPieces {
    if (parts === null) return { texts: [stored], parts: [] };
    const [first = '', ...rest] = stored.split(MARK);
    return {
      texts: [first, ...rest.map((piece) => piece.slice(1))],
      parts: rest.map((piece) => {
        const number = this.#numbers.get(parts[LETTERS.indexOf(piece.charAt(0))] ?? '');
        if (number === undefined) throw new Error('a part of a document is not stored');
        return number;
      }),
    };
  }
}

/** Forgets parts that no record and no undo log refers to any more; each is looked at once a day. */
export async function forgetUnusedParts(db: Queryable): Promise<void> {
  const old = await db.execute<{ user_id: string; connection_id: string }>(
    sql`select distinct user_id, connection_id from record_parts where used_at < now() - ${KEPT}`,
  );
  for (const { user_id: userId, connection_id: connectionId } of old.rows) {
    const used = (table: string) => sql`
      select entity, unnest(parts) from ${sql.raw(table)}
      where user_id = ${userId} and connection_id = ${connectionId} and parts is not null`;
    const looked = sql`user_id = ${userId} and connection_id = ${connectionId} and used_at < now() - ${KEPT}`;
    await db.execute(sql`
      delete from record_parts
      where ${looked} and (entity, hash) not in (${used('records')} union ${used('record_undo')})`);
    await db.execute(sql`update record_parts set used_at = now() where ${looked}`);
  }
}

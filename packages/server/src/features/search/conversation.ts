import { CONVERSATION_MAILS, type Conversation, type ConversationMail } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { findRecord, openRecordsFor, type RecordRequest } from '../records/index.ts';
import { type FoundRecord, keyOf, type RecordKey } from './candidates.ts';
import { CONNECTION_PREFIX, CONVERSATION_PREFIX } from './entry.ts';
import { readIndexProgress, unindexedOf } from './index-older-records.ts';
import { loadRecordTexts } from './record-texts.ts';

/** Timeout of each statement, ms. */
const STATEMENT_MS = 5000;
/** Entries that are read of a conversation: many mails have a copy in a second mailbox. */
const MAX_ENTRIES = 2 * CONVERSATION_MAILS + 1;
/** Ids of the first mails by which further ones are found. */
const MAX_IDS = 200;
/** Length of an excerpt, and of the text from which it is cut, UTF-16 units. */
const EXCERPT = { length: 200, from: 600 } as const;

/** An entry of the index in a conversation. */
interface ConversationEntry extends Record<string, unknown> {
  id: string;
  occurred_at: string;
  person: string;
  /** Equal for copies of a mail. */
  copy_key: string;
}

/** Expression over an entry that is equal for copies of a mail. */
const COPY_KEY = sql`coalesce(nullif(conversation[1], ''), id) || ' ' || occurred_at || ' ' || person`;

/** Orders entries; without an order the database stops at the first ones. */
const NEWEST_FIRST = sql`order by occurred_at desc, id`;

/**
 * Selects entries of the account of `k`, an entry, that share one of some ids.
 * @param ids a table expression with the column `one`
 */
function entriesWith(userId: string, { ids, order }: { ids: SQL; order: SQL }): SQL {
  // With `offset 0` the planner cannot read in the order of time. The word of the account keeps others' mails out of the lookup.
  return sql`select id, occurred_at, person, conversation from (
      select e.id, e.occurred_at, e.person, e.conversation from search_entries e
      where e.user_id = ${userId} and e.connection_id = k.connection_id and e.entity = k.entity and e.terms @@ (
        select search_lexeme(${CONNECTION_PREFIX}::text || k.connection_id, false)
          && search_any(search_lexeme(${CONVERSATION_PREFIX}::text || one, false)) from ${ids} where one <> '')
      offset 0) e ${order} limit ${MAX_ENTRIES}`;
}

/**
 * Selects the entries of the conversation of `k`, an entry: those that share an id with it, and those that share one with them.
 * A third round would only find more where mails lack their References.
 */
function entriesOf(userId: string, order = sql``): SQL {
  return sql`(
    with nearest as materialized (${entriesWith(userId, { ids: sql`unnest(k.conversation[2:]) one`, order })}),
    further as materialized (
      select distinct one from nearest, unnest(nearest.conversation[2:]) one 
      where one <> all (k.conversation) and (select count(*) from nearest) < ${MAX_ENTRIES} limit ${MAX_IDS})
    select id, occurred_at, person, ${COPY_KEY} as copy_key
    from (select * from nearest union select * from (${entriesWith(userId, { ids: sql`further`, order })}) more) found)`;
}

/** Selects how many mails the conversations of records have, of those with more than one. */
function countStatement(userId: string, found: readonly RecordKey[]): SQL {
  const keys = JSON.stringify(found.map(({ connection_id: c, entity: e, id: i }) => ({ c, e, i })));
  return sql`
    select k.connection_id, k.entity, k.id, counted.mails::int as mails
    from json_to_recordset(${keys}) as listed(c uuid, e text, i text)
    join search_entries k on k.user_id = ${userId} and k.connection_id = listed.c and k.entity = listed.e and k.id = listed.i
    cross join lateral (
      select case when count(*) < ${MAX_ENTRIES} then count(distinct copy_key) else ${CONVERSATION_MAILS + 1} end as mails from ${entriesOf(userId)} entries) counted
    where k.conversation is not null and counted.mails > 1`;
}

/** Selects the entries of a record's conversation. */
function listStatement(
  userId: string,
  { connection_id: connectionId, entity: entityLabel, id: record }: RecordKey,
): SQL {
  return sql`
      with k as materialized (
        select connection_id, entity, id, occurred_at, person, conversation from search_entries k
        where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entityLabel} and id = ${record})
      select entries.* from k cross join lateral ${entriesOf(userId, NEWEST_FIRST)} entries
      union select id, occurred_at, person, ${COPY_KEY} from k`;
}

/** Counts the mails of the conversations of records, copies once. @returns counts by `keyOf`, of records that have more than one mail */
export async function countConversations(
  db: Queryable,
  { userId, found }: { userId: string; found: readonly RecordKey[] },
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<RecordKey & { mails: number }>(countStatement(userId, found));
  return new Map(rows.map((row) => [keyOf(row), Math.min(row.mails, CONVERSATION_MAILS + 1)]));
}

/** Leaves out copies, of which the asked record stays, and sorts the newest first. */
function withoutCopies(entries: readonly ConversationEntry[], record: string): ConversationEntry[] {
  const own = entries.find(({ id }) => id === record);
  const byCopy = new Map(entries.map((entry) => [entry.copy_key, entry]));
  if (own) byCopy.set(own.copy_key, own);
  return [...byCopy.values()].sort(
    (a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || (a.id < b.id ? -1 : 1),
  );
}

/** Returns the mails that are listed: the newest, and the asked one in place of the last if it is older. */
function listedOf(all: readonly ConversationEntry[], record: string): ConversationEntry[] {
  const first = all.slice(0, CONVERSATION_MAILS);
  const own = all.find(({ id }) => id === record);
  return own === undefined || first.includes(own) ? first : [...first.slice(0, -1), own];
}

/** Returns the start of a text on one line. */
function excerptOf(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ').trim();
  return line.length <= EXCERPT.length ? line : `${line.slice(0, EXCERPT.length).toWellFormed()}…`;
}

async function toMails(
  db: Queryable,
  registry: ConnectorRegistry,
  { userId, found }: { userId: string; found: readonly FoundRecord[] },
): Promise<ConversationMail[]> {
  const texts = await loadRecordTexts(db, registry, { userId, found, length: EXCERPT.from });
  return found.map(({ id, person, occurred_at: time }, index) => {
    const { body = '', details } = texts[index] ?? {};
    const { sender = '', isUnread = false, fileCount = 0 } = details?.mail ?? {};
    return {
      recordId: id,
      sender: sender || person,
      excerpt: excerptOf(body),
      occurredAt: new Date(time).toISOString(),
      isUnread,
      fileCount,
    };
  });
}

/**
 * Reads the stored mails of the conversation of a mail, in its account.
 * @throws AppError not-found, with the same text for a record of another user, a deleted and an unknown one
 */
export async function readConversation(
  context: Context,
  registry: ConnectorRegistry,
  request: RecordRequest,
): Promise<Conversation> {
  const { userId, entityLabel, record } = request;
  const requested = await openRecordsFor(context, registry, request);
  if (!requested) throw notFound('This record');
  const { entity, set } = requested;
  return readBounded(context.db, STATEMENT_MS, async (db) => {
    const opened = await findRecord(db, set, record);
    if (!opened) throw notFound('This record');
    if (!entity.search?.conversation) return { mails: [], isCutOff: false, unindexed: 0 };
    const { connectionId } = opened;
    const key = { connection_id: opened.connectionId, entity: entityLabel, id: record };
    const { rows } = await db.execute<ConversationEntry>(listStatement(userId, key));
    const all = withoutCopies(rows, record);
    const found = listedOf(all, record).map((entry) => ({
      ...entry,
      connection_id: connectionId,
      entity: entityLabel,
      labels: [],
    }));
    return {
      mails: await toMails(db, registry, { userId, found }),
      isCutOff: all.length > found.length || rows.length >= MAX_ENTRIES,
      unindexed: unindexedOf(await readIndexProgress(db, userId, set)),
    };
  });
}

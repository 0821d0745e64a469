import type pg from 'pg';
import { messageRecord } from '../../packages/connectors/src/imap/mail-record.ts';
import type { ConnectorRecord, EntityDefinition } from '../../packages/connectors/src/index.ts';
import { createSampleConnection } from '../../packages/server/src/features/connections/index.ts';
import { type RecordSource, writeRecords } from '../../packages/server/src/features/records/index.ts';
import { inBulkTransaction } from '../../packages/server/src/platform/db/database.ts';
import { Client, startTestServer, type TestServer } from '../../packages/server/test-support/test-server.ts';
import type { BenchMail } from './mails.ts';

/** Records of a page, as in syncs of IMAP. */
const PAGE = 100;
const MAILBOX = { mailbox: 'INBOX', uidValidity: '1' };

/** Converts a mail to a record, as a sync of IMAP does. */
function recordOf({ index, date, isUnread, source }: BenchMail): Promise<ConnectorRecord> {
  return messageRecord(MAILBOX, {
    seq: index + 1,
    uid: index + 1,
    flags: new Set(isUnread ? [] : ['\\Seen']),
    internalDate: date,
    size: source.length,
    source,
  });
}

/** A product with a mailbox of one user, whose records are stored by the code of a sync. */
export class MailStore {
  readonly server: TestServer;
  readonly client: Client;
  readonly #target: RecordSource & { scope: string; syncId: string };
  readonly #entity: EntityDefinition;

  private constructor(server: TestServer, client: Client, source: RecordSource) {
    this.server = server;
    this.client = client;
    this.#target = { ...source, scope: 'INBOX', syncId: crypto.randomUUID() };
    this.#entity = server.product.registry.entity('imap', source.entity);
  }

  /** @param hasWebApp whether the server also serves the web app, which is built when it is missing */
  static async start({ hasWebApp = false } = {}): Promise<MailStore> {
    const server = await startTestServer({ WEB_APP: hasWebApp ? 'on' : 'off' }, { hasOwnPostgres: true });
    const client = await new Client(server).signIn('ada.nowak@sandbox.example');
    const { _id: userId } = await client.get<{ _id: string }>('/api/accounts');
    const { db } = server.product.context;
    const connectionId = await createSampleConnection(db, userId, 'imap', 'bench');
    return new MailStore(server, client, { userId, connectionId, entity: 'imap-messages' });
  }

  get pool(): pg.Pool {
    return this.server.product.context.db.$client;
  }

  /** Stores mails in pages. @returns seconds in the database, without parsing the mails */
  async add(mails: readonly BenchMail[]): Promise<number> {
    let seconds = 0;
    for (let first = 0; first < mails.length; first += PAGE) {
      const records = await Promise.all(mails.slice(first, first + PAGE).map(recordOf));
      const begun = performance.now();
      await inBulkTransaction(this.server.product.context.db, (tx) =>
        writeRecords(tx, this.#target, { entity: this.#entity, records }),
      );
      seconds += (performance.now() - begun) / 1000;
    }
    return seconds;
  }

  /** Updates the statistics and the index, as autovacuum does after a large sync. */
  async vacuum(): Promise<void> {
    for (const table of ['imap_messages', 'search_entries', 'search_values'])
      await this.pool.query(`vacuum (analyze) ${table}`);
  }

  /** Returns the sizes of the search index by table and index, bytes. */
  async sizes(): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ name: string; bytes: string }>(
      `select relname as name, pg_table_size(oid) as bytes from pg_class
      where relname in ('search_entries', 'search_values') or oid in
        (select indexrelid from pg_index where indrelid in ('search_entries'::regclass, 'search_values'::regclass))`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  }
}

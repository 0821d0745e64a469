import type { Sync } from '@datadeck/contract';
import type { FaultHandle, FaultSpec } from '@datadeck/test-sandbox';
import { type SQL, sql } from 'drizzle-orm';
import { tableOf } from '../src/features/records/index.ts';
import { fastClock } from './fast-clock.ts';
import { readSync, startSync, until } from './syncing.ts';
import { Client, startTestServer, type TestServer } from './test-server.ts';

export const ADA = 'ada.nowak@sandbox.example';

/** A collection at a provider that a test can change. */
export interface Collection {
  provider: 'google' | 'github';
  api: 'gmail' | 'github';
  /** The provider's token endpoint. */
  oauth: 'google' | 'github-oauth';
  entity: 'gmail-messages' | 'gh-pulls';
  settings: Record<string, string>;
  /** Name of a record on both sides: the message id, or the number of the pull request. */
  ids(): string[];
  /** Adds a record. */
  insert(): void;
}

/** The repository of the collection of few pull requests. */
export const REPOSITORY = 'ada-nowak/dotfiles';
const SMALL = 6;

/** A complete server without real waits, and a user with both providers connected. */
export class FaultStage {
  readonly server: TestServer;
  readonly clock: ReturnType<typeof fastClock>;
  /** Collections with a few messages and a few pull requests. */
  readonly gmail: Collection;
  readonly github: Collection;
  client: Client;

  private constructor(server: TestServer, clock: ReturnType<typeof fastClock>) {
    this.server = server;
    this.clock = clock;
    this.client = new Client(server);
    this.gmail = this.label('Faults', SMALL);
    this.github = this.repository('ada-nowak', 'dotfiles');
  }

  /** Creates the collection of messages of a new label in Ada's mailbox. */
  label(name: string, messages: number): Collection {
    const { gmail } = this.server.control;
    const label = gmail.createLabel(ADA, name);
    const insert = () => void gmail.insert(ADA, { labelIds: [label] });
    for (let count = 0; count < messages; count++) insert();
    return {
      provider: 'google',
      api: 'gmail',
      oauth: 'google',
      entity: 'gmail-messages',
      settings: { labelIds: label },
      ids: () => gmail.messageIds(ADA, label).sort(),
      insert,
    };
  }

  /** Creates the collection of the pull requests of a repository. */
  repository(owner: string, repo: string): Collection {
    const { github } = this.server.control;
    const name = `${owner}/${repo}`;
    return {
      provider: 'github',
      api: 'github',
      oauth: 'github-oauth',
      entity: 'gh-pulls',
      settings: { owner, repo },
      ids: () => github.pullNumbers(name).map(String).sort(),
      insert: () => void github.insertPull(name),
    };
  }

  static async open(): Promise<FaultStage> {
    const clock = fastClock();
    const stage = new FaultStage(await startTestServer({}, { clock }), clock);
    await stage.enter();
    return stage;
  }

  /** Deletes the previous user's data and signs in as a user with both providers connected. */
  async enter(): Promise<void> {
    const { server } = this;
    server.control.clearFaults();
    if (this.client.token !== '') await this.client.call('DELETE', '/api/accounts/delete-account');
    this.client = await new Client(server).signIn(ADA);
    await this.client.connect('google', ADA);
    await this.client.connect('github', 'ada-nowak');
  }

  close(): Promise<void> {
    return this.server.remove();
  }

  fault(spec: FaultSpec): FaultHandle {
    return this.server.control.fault(spec);
  }

  /** Deletes all records, faults and counted runs; keeps connections. */
  async clear({ provider }: Collection): Promise<void> {
    this.server.control.clearFaults();
    await this.client.post(`/api/integrations/entities/delete-all-data?provider=${provider}`);
    await this.server.product.context.db.execute(sql`delete from sync_usage`);
  }

  start({ entity, settings }: Collection): Promise<Sync> {
    return startSync(this.client, entity, settings);
  }

  async run(from: Collection): Promise<Sync> {
    const { _id } = await this.start(from);
    await this.untilEnded(_id);
    return readSync(this.client, _id);
  }

  /** Waits until a run has ended, by a database query, which is faster than the list of all runs. */
  untilEnded(id: string): Promise<void> {
    return until(async () => {
      const { rows } = await this.server.product.context.db.execute(
        sql`select 1 from syncs where id = ${id} and status = 'started'`,
      );
      return rows.length === 0;
    });
  }

  /** Returns the stored records of a collection by the names of `ids`, optionally only those that match a condition. */
  async stored({ entity }: { entity: string }, condition: SQL = sql`true`): Promise<string[]> {
    const { rows } = await this.server.product.context.db.execute<{ id: string }>(sql`
      select coalesce(data->>'number', id) as id from ${tableOf({ entity })} r where ${condition}`);
    return rows.map(({ id }) => id).sort();
  }

  /** Returns the status of the connection; null without one. */
  async connection({ provider }: Pick<Collection, 'provider'>): Promise<string | null> {
    const providers = await this.client.get<{ key: string; connection: { status: string } | null }[]>(
      '/api/integrations/providers',
    );
    return providers.find(({ key }) => key === provider)?.connection?.status ?? null;
  }

  reconnect({ provider }: Collection): Promise<string | null> {
    return this.client.connect(provider, provider === 'google' ? ADA : 'ada-nowak');
  }
}

import { isDeepStrictEqual } from 'node:util';
import { DOVECOT_MISSING, Dovecot } from '@datadeck/connectors/test-support/imap';
import type { Provider, StartSync } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { setPlan } from '../src/features/accounts/index.ts';
import { AccessTokens, findConnection, listConnections } from '../src/features/connections/index.ts';
import { deleteProviderData } from '../src/features/deletion/index.ts';
import { tableOf } from '../src/features/records/index.ts';
import { cancelSync, deleteLastSync, startSync } from '../src/features/sync/index.ts';
import { AppError } from '../src/platform/app-error.ts';
import { type AccountModel, ProviderModel, plain, type StoredRow } from './account-model.ts';
import { type AccountWorld, GithubAccounts, GmailAccounts, pick, type Random } from './account-world.ts';
import { ImapAccounts, MAIL_PASSWORDS } from './imap-accounts.ts';
import { KilledRun } from './killed-run.ts';
import { seededRandom } from './seeded-random.ts';
import { ShownRows } from './shown-rows.ts';
import { Client, startTestServer, type TestServer } from './test-server.ts';

/** The cap of the plan by which runs are started, small enough to be exceeded. */
const CAP = 10;
const MIN_STEPS = 10;
const MAX_STEPS = 20;
const INTEGRATIONS = '/api/integrations';

/** Random histories of one user over several accounts of all providers, compared with a model after each step. */
export class AccountHistories {
  readonly server: TestServer;
  readonly #client: Client;
  readonly #userId: string;
  readonly #worlds: readonly AccountWorld[];
  readonly #dovecot: Dovecot | undefined;
  #models: ProviderModel[] = [];
  /** Ids of the runs of each account that are stored, the latest last. */
  #runs = new Map<AccountModel, string[]>();
  /** Share of the steps after which what is shown is compared, too; the last step of a history is always among them. */
  readonly #shownShare: number;
  /** What happened, for the report of a failure. */
  #log: string[] = [];
  readonly #shown: ShownRows;

  private constructor(
    server: TestServer,
    client: Client,
    options: { userId: string; shownShare: number; dovecot: Dovecot | undefined },
  ) {
    this.server = server;
    this.#client = client;
    this.#shown = new ShownRows(client);
    this.#userId = options.userId;
    this.#shownShare = options.shownShare;
    this.#dovecot = options.dovecot;
    this.#worlds = [
      new GithubAccounts(server.control),
      new GmailAccounts(server.control),
      ...(options.dovecot ? [new ImapAccounts(options.dovecot)] : []),
    ];
  }

  /** Starts a server without a worker, whose only user signs in with an account that is not connected. */
  static async open(shownShare: number): Promise<AccountHistories> {
    const server = await startTestServer({ ROLE: 'web' });
    const { db } = server.product.context;
    // The database itself is not killed, so commits need not wait for the disk.
    await db.execute(
      sql`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
    );
    const client = await new Client(server).signIn('mei.tanaka@sandbox.example');
    const { _id } = await client.get<{ _id: string }>('/api/accounts');
    await setPlan(db, _id, 'pro');
    const dovecot = DOVECOT_MISSING ? undefined : await Dovecot.start(MAIL_PASSWORDS);
    return new AccountHistories(server, client, { userId: _id, shownShare, dovecot });
  }

  async close(): Promise<void> {
    for (const world of this.#worlds) world.close?.();
    await this.server.remove();
    await this.#dovecot?.stop();
  }

  get #product() {
    return this.server.product;
  }

  /** Runs histories. @throws Error with the seed and the steps of the first one that fails */
  async live(count: number, seed: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      this.#log = [];
      // A quick machine connects more often than a network may.
      this.#client.callFrom(`203.0.${(number >> 8) & 255}.${number & 255}`);
      try {
        await this.#liveOne(seededRandom(seed + number));
      } catch (error) {
        const steps = this.#log.join('\n');
        throw new Error(`history of seed ${seed + number}:\n${steps}`, { cause: error });
      }
    }
    console.log(`${count} histories of several accounts, seeds ${seed} to ${seed + count - 1}`);
  }

  async #liveOne(random: Random): Promise<void> {
    await this.#clear();
    this.#models = this.#worlds.map((world) => new ProviderModel(world, CAP));
    this.#runs = new Map();
    for (const world of this.#worlds) await world.begin(random);
    for (const model of this.#models) await this.#connect(model, pick(random, model.accounts));
    const steps = MIN_STEPS + Math.floor(random() * (MAX_STEPS - MIN_STEPS + 1));
    for (let step = 0; step < steps; step++) {
      const model = pick(random, this.#models);
      await this.#step(model, random);
      await this.#compareStored(model);
      await this.#compareAccounts(model);
      if (step === steps - 1 || random() < this.#shownShare) await this.#shown.compare(model);
    }
  }

  /** Forgets all accounts and their data. */
  async #clear(): Promise<void> {
    const { db } = this.#product.context;
    const { control } = this.server;
    control.clearFaults();
    await db.execute(sql`
      update connections set status = 'disconnected', credentials = null where user_id = ${this.#userId}`);
    for (const { provider } of this.#worlds)
      await deleteProviderData(this.#product, this.#userId, { provider });
  }

  async #step(model: ProviderModel, random: Random): Promise<void> {
    const account = pick(random, model.known.length > 0 ? model.known : model.accounts);
    const kind = random();
    for (let changes = Math.floor(random() * 4); changes > 0; changes--) await model.world.change(random);
    if (kind < 0.12) await this.#connect(model, pick(random, model.accounts));
    else if (kind < 0.17) await this.#disconnect(model, random() < 0.3 ? undefined : account);
    else if (kind < 0.22) await this.#delete(model, random() < 0.3 ? undefined : account);
    else if (kind < 0.26) await this.#revoke(model, account);
    else if (kind < 0.4) await this.#undo(account);
    else if (kind < 0.46) await this.#cancel(model, account, random);
    else if (kind < 0.49) await this.#deleteWhileRunning(model, account, random);
    else await this.#run(model, account, random);
  }

  async #connect(model: ProviderModel, account: AccountModel): Promise<void> {
    this.#log.push(`connect ${account.account}`);
    await model.world.connect(
      { client: this.#client, product: this.#product, userId: this.#userId },
      account.account,
    );
    model.connect(account);
  }

  /** Disconnects an account, or all of a provider. */
  async #disconnect(model: ProviderModel, account: AccountModel | undefined): Promise<void> {
    const { provider } = model.world;
    const which = account ? [account] : model.known;
    const isNone = which.every(({ status }) => status === 'disconnected' || status === 'absent');
    this.#log.push(`disconnect ${account?.account ?? provider}`);
    const response = await this.#client.call(
      'POST',
      `${INTEGRATIONS}/providers/disconnect?provider=${provider}${account ? `&account=${encodeURIComponent(account.account)}` : ''}`,
    );
    // The user signs in with Google, although with an account that is not connected.
    if (provider === 'google' && !account) expect(response.status).toBe(403);
    else if (isNone) expect(response.status).toBeGreaterThanOrEqual(400);
    else {
      expect(response.status).toBe(200);
      model.disconnect(which);
    }
  }

  /** Deletes the data of an account, or of a provider. */
  async #delete(model: ProviderModel, account: AccountModel | undefined): Promise<void> {
    const { provider } = model.world;
    this.#log.push(`delete ${account?.account ?? provider}`);
    if (account?.status === 'absent') return;
    await this.#client.post(
      `${INTEGRATIONS}/entities/delete-all-data?provider=${provider}${account ? `&account=${encodeURIComponent(account.account)}` : ''}`,
    );
    const which = account ? [account] : model.accounts;
    model.deleteData(which);
    for (const one of which) this.#runs.delete(one);
  }

  async #revoke(model: ProviderModel, account: AccountModel): Promise<void> {
    if (account.status !== 'connected' || !account.isGranted) return;
    this.#log.push(`revoke ${account.account}`);
    const { context, registry } = this.#product;
    const { provider } = model.world;
    const id = await this.#connectionOf(provider, account);
    const connection = await findConnection(context.db, this.#userId, id);
    if (!connection) throw new Error(`${account.account} is not stored`);
    const tokens = new AccessTokens(context, registry.connector(provider), connection);
    await model.world.revoke(account.account, async () => (await tokens.get(false)).accessToken);
    account.isGranted = false;
  }

  async #undo(account: AccountModel): Promise<void> {
    const id = this.#runs.get(account)?.pop();
    if (id === undefined) return;
    this.#log.push(`undo ${account.account}`);
    const { context, registry } = this.#product;
    await deleteLastSync(context, registry, { userId: this.#userId, id });
    account.undo();
  }

  /** Starts a run of an account over chosen scopes. @returns its id and scopes; undefined when it was refused as it should */
  async #start(model: ProviderModel, account: AccountModel, random: Random) {
    const { context, registry } = this.#product;
    const { provider, entity } = model.world;
    const chosen = model.world.choose(random, account.account);
    const kind = random();
    const isSource = kind < 0.4 && account.source.length > 0;
    const single = chosen.find((name) => !model.world.isPattern(name));
    const isSingle = !isSource && kind > 0.8 && single !== undefined;
    const texts = isSource ? account.source : isSingle ? [single] : chosen;
    const selection: Pick<StartSync, 'scopes' | 'entitySettings'> = isSingle
      ? { entitySettings: model.world.settingsOf(single) }
      : { scopes: isSource ? [] : texts };
    this.#log.push(
      `run ${account.account} ${isSource ? 'source' : isSingle ? 'settings' : 'list'} ${texts.join(', ')}`,
    );
    await context.db.execute(sql`delete from sync_usage where user_id = ${this.#userId}`);
    const request = {
      providerId: provider,
      entityLabel: entity,
      account: account.account,
      ...selection,
      by: { userId: this.#userId, plan: 'demo' as const },
    };
    if (account.status !== 'connected') {
      await expect(startSync(context, registry, request)).rejects.toMatchObject({
        code: expect.stringMatching(/not-connected|reconnect-needed|validation-failed/),
      });
      return undefined;
    }
    const { _id: id } = await startSync(context, registry, request);
    if (!isSingle && !isSource) account.source = [...texts];
    account.begin();
    return {
      id,
      texts,
      isList: !isSingle,
      run: new KilledRun(this.server, { userId: this.#userId, syncId: id }),
    };
  }

  async #run(model: ProviderModel, account: AccountModel, random: Random): Promise<void> {
    const started = await this.#start(model, account, random);
    if (!started) return;
    const { run, texts, isList } = started;
    for (let kills = Math.floor(random() * 3), alive = true; kills > 0 && alive; kills--)
      alive = await run.killAt(random, 80);
    const ended = await run.finish();
    const status = account.read(texts, isList);
    this.#log.push(`  ${JSON.stringify(ended)}`);
    expect(ended.status, JSON.stringify(ended)).toBe(status);
    this.#keep(account, started.id);
  }

  #keep(account: AccountModel, id: string): void {
    this.#runs.set(account, [...(this.#runs.get(account) ?? []), id]);
  }

  /** Cancels a run after it has stored a part: the part is kept, and each of its rows is an old or a present one. */
  async #cancel(model: ProviderModel, account: AccountModel, random: Random): Promise<void> {
    const started = await this.#start(model, account, random);
    if (!started) return;
    this.#keep(account, started.id);
    const isAlive = (await started.run.killAt(random, 80)) && (await this.#isCancelled(started.id));
    const ended = await started.run.end();
    this.#log.push(`  cancelled: ${JSON.stringify(ended)}`);
    const before = new Map(account.rows);
    if (!isAlive || !account.isGranted) {
      const status = account.read(started.texts, started.isList);
      if (!isAlive) {
        expect(ended.status).toBe(status);
        return;
      }
      // A rejected grant is noticed by the attempt that ends the run.
      account.status = (await this.#statusOf(model, account)) as typeof account.status;
      return;
    }
    account.read(started.texts, started.isList);
    const stored = await this.#storedOf(model, account);
    for (const [id, { content }] of stored)
      expect([before.get(id)?.content, account.rows.get(id)?.content]).toContain(content);
    account.adopt(stored, await this.#sourceOf(model, account));
  }

  /** Cancels a run, unless it ended by a commit that its killed attempt had sent. */
  async #isCancelled(id: string): Promise<boolean> {
    try {
      await cancelSync(this.#product, this.#userId, id);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'sync-not-running') return false;
      throw error;
    }
  }

  /** Deletes the data while a run is interrupted: nothing of the run may come back. */
  async #deleteWhileRunning(model: ProviderModel, account: AccountModel, random: Random): Promise<void> {
    const started = await this.#start(model, account, random);
    if (!started) return;
    await started.run.killAt(random, 80);
    account.status = (await this.#statusOf(model, account)) as typeof account.status;
    await this.#delete(model, random() < 0.5 ? undefined : account);
    expect(await started.run.end()).toEqual({ status: 'gone' });
  }

  async #connectionOf(provider: string, { account }: AccountModel): Promise<string> {
    const all = await listConnections(this.#product.context.db, this.#userId, provider);
    return all.find((one) => one.account === account)?.id ?? '00000000-0000-0000-0000-000000000000';
  }

  async #statusOf({ world }: ProviderModel, { account }: AccountModel): Promise<string> {
    const all = await listConnections(this.#product.context.db, this.#userId, world.provider);
    return all.find((one) => one.account === account)?.status ?? 'absent';
  }

  async #sourceOf({ world }: ProviderModel, account: AccountModel): Promise<string[]> {
    const id = await this.#connectionOf(world.provider, account);
    const { rows } = await this.#product.context.db.execute<{ scopes: string[] }>(sql`
      select scopes from sources where user_id = ${this.#userId} and connection_id = ${id} and entity = ${world.entity}`);
    return rows[0]?.scopes ?? [];
  }

  /** Reads the stored rows of an account. */
  async #storedOf({ world }: ProviderModel, account: AccountModel): Promise<Map<string, StoredRow>> {
    const id = await this.#connectionOf(world.provider, account);
    const { rows } = await this.#product.context.db.execute<{
      id: string;
      document: string;
      scopes: string[];
    }>(sql`
      select id, data::text as document, scopes from ${tableOf(world)} r
      where user_id = ${this.#userId} and connection_id = ${id}`);
    return new Map(
      rows.map((row) => {
        const document = JSON.parse(row.document) as { updated_at?: string };
        const content = world.contentOf(row.id, document);
        return [row.id, { content, updated: document.updated_at ?? '', scopes: new Set(row.scopes) }];
      }),
    );
  }

  async #compareStored(model: ProviderModel): Promise<void> {
    for (const account of model.accounts) {
      const stored = await this.#storedOf(model, account);
      if (!isDeepStrictEqual(plain(stored), plain(account.rows)))
        expect(plain(stored), account.account).toEqual(plain(account.rows));
      expect(new Set(await this.#sourceOf(model, account)), `source of ${account.account}`).toEqual(
        new Set(account.source),
      );
    }
  }

  async #compareAccounts(model: ProviderModel): Promise<void> {
    const providers = await this.#client.get<Provider[]>(`${INTEGRATIONS}/providers`);
    const { accounts = [] } = providers.find(({ key }) => key === model.world.provider) ?? {};
    expect(accounts.map(({ account, status, isShown }) => ({ account, status, isShown }))).toEqual(
      model.known.map(({ account, status, isShown }) => ({ account, status, isShown })),
    );
  }
}

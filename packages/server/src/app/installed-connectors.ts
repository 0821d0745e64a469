import {
  type Connector,
  declarationProblems,
  MINUTE_MS,
  type OAuthClient,
  ProviderError,
} from '@datadeck/connectors';
import { declarativeConnector, ENTERED_ADDRESS } from '@datadeck/connectors/declarative';
import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import type { ConnectorRegistry } from '../features/connections/index.ts';
import {
  allowedHosts,
  forgetResultsOf,
  listClientIds,
  listDeletedKeys,
  listKnownEntities,
  listPublished,
  type PublishedConnector,
  readClient,
  readStamp,
} from '../features/connectors/index.ts';
import { fitsStoredTable } from '../features/records/index.ts';
import { startSearchIndex } from '../features/search/index.ts';
import { startBackfill } from '../features/sync/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context/index.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Logger } from '../platform/log.ts';
import { createRegistry, type ProviderEndpoints } from './connector-registry.ts';
import { planLimiter } from './plan-limits.ts';

const TOPIC = 'connectors';

/** Why a connector cannot be connected or synchronized, as a sentence. */
const STOPPED: Record<Exclude<PublishedConnector['state'], 'published'>, string> = {
  withdrawn: 'The administrator of this server has withdrawn this connector. Its data stays readable.',
  deleted: 'The administrator of this server has deleted this connector. Its data is being removed.',
};

const clientMissing = (title: string) =>
  `The administrator of this server has not entered the OAuth client of ${title} yet.`;

/** A published connector with what the interpreter made of it. */
interface Built {
  version: number;
  connector: Connector;
}

/** The connectors of a server: the shipped ones, and those that administrators published. All parts of a process share its registry. */
export class InstalledConnectors {
  readonly registry: ConnectorRegistry;
  readonly #shipped: readonly Connector[];
  readonly #endpoints: ProviderEndpoints;
  readonly #planLimits: string | undefined;
  readonly #log: Logger;
  #built: ReadonlyMap<string, Built> = new Map();
  /** Names what was loaded (`readStamp`). */
  #stamp = '';
  #loading: Promise<unknown> = Promise.resolve();
  #context: Context | undefined;
  /** Applies PLAN_LIMITS to a connector; undefined before the first load. */
  #limit: ((connector: Connector) => Connector) | undefined;
  /** The shipped connectors whose tables the database can have; undefined before the first load. */
  #usable: readonly Connector[] | undefined;

  constructor(endpoints: ProviderEndpoints, { PLAN_LIMITS }: Pick<Config, 'PLAN_LIMITS'>, log: Logger) {
    this.#endpoints = endpoints;
    this.#planLimits = PLAN_LIMITS;
    this.#log = log;
    this.registry = createRegistry(endpoints);
    this.#shipped = this.registry.all();
  }

  /** Returns the keys that belong to the product. */
  shippedKeys(): string[] {
    return this.#shipped.map(({ key }) => key);
  }

  /** Declares the connector of a document. @throws Error for one that cannot be used */
  declare({
    document: stored,
    storedNames,
  }: Pick<PublishedConnector, 'document' | 'storedNames'>): Connector {
    // With the defaults of this version of the product.
    const document = connectorDocumentSchema.parse(stored);
    const hosts = allowedHosts(document.baseUrl === ENTERED_ADDRESS, this.#endpoints.connectHosts);
    return declarativeConnector(document, { hosts, storedNames, client: () => this.#clientOf(document) });
  }

  /** @throws ProviderError when the administrator has entered no client, or its key is missing */
  async #clientOf(document: ConnectorDocument): Promise<OAuthClient> {
    const client = this.#context && (await readClient(this.#context, document));
    if (client) return client;
    throw new ProviderError('unavailable', clientMissing(document.title));
  }

  /**
   * Reads the published connectors, and replaces those of the registry. One that this version of the product cannot use is left out.
   * @throws StartError for a wrong file of PLAN_LIMITS
   */
  load(db: Queryable): Promise<void> {
    const loading = this.#loading.catch(() => undefined).then(() => this.#load(db));
    this.#loading = loading;
    return loading;
  }

  async #load(db: Queryable): Promise<void> {
    const stamp = await readStamp(db);
    if (stamp === this.#stamp) return;
    const published = await listPublished(db);
    const clients = await listClientIds(db);
    const built = new Map<string, Built>();
    const stored = await listKnownEntities(db);
    this.#usable ??= await this.#usableOf(db, stored);
    const accepted = [...this.#usable];
    const stopped: Record<string, string> = {};
    const unusable: Record<string, string> = {};
    for (const one of published) {
      const connector = this.#build(one, accepted);
      if (!connector) continue;
      accepted.push(connector);
      built.set(one.key, { version: one.version, connector });
      if (one.state !== 'published') stopped[one.key] = STOPPED[one.state];
      const { kind } = one.document.authentication;
      if (kind === 'oauth-code' && !clients.has(one.key)) unusable[one.key] = clientMissing(connector.title);
    }
    const known = new Set(accepted.flatMap(({ entities }) => entities.map(({ id }) => id)));
    const former = [...stored].filter((id) => !known.has(id));
    this.#limit ??= await this.#readLimits(db, { known: [...known], former });
    const unavailable = { ...this.#endpoints.unavailable, ...unusable, ...stopped };
    this.registry.replace(accepted.map(this.#limit), unavailable, { stopped, former });
    this.#built = built;
    this.#stamp = stamp;
  }

  /**
   * Leaves out shipped connectors that have an entity which a connector of an administrator has or had, with columns of other types:
   * its table, and that connector, stay in use. Decided once, since a start creates the tables of shipped connectors.
   */
  async #usableOf(db: Queryable, stored: ReadonlySet<string>): Promise<Connector[]> {
    const usable: Connector[] = [];
    for (const connector of this.#shipped) {
      const unfit: string[] = [];
      for (const entity of connector.entities)
        if (stored.has(entity.id) && !(await fitsStoredTable(db, entity))) unfit.push(entity.id);
      if (unfit.length === 0) usable.push(connector);
      else
        this.#log.error(
          { key: connector.key, entities: unfit },
          `${connector.title} of this version is left out, because a connector of an administrator stores ${unfit.join(', ')} with columns of other types, and stays in use. To use the one of this version, delete that connector with its data, then start again.`,
        );
    }
    return usable;
  }

  /** Reads PLAN_LIMITS once: a wrong file stops the start, and never what runs. @throws StartError for a wrong file */
  async #readLimits(
    db: Queryable,
    { known, former }: { known: readonly string[]; former: readonly string[] },
  ): Promise<(connector: Connector) => Connector> {
    const deleted = await listDeletedKeys(db);
    return planLimiter(this.#planLimits, {
      known,
      isFormer: (id) => former.includes(id) || deleted.some((key) => id.startsWith(`${key}-`)),
      onUnused: (id) =>
        this.#log.warn({ entity: id }, 'PLAN_LIMITS names an entity that its connector no longer has'),
    });
  }

  /** Declares a published connector; undefined, with an entry of the log, for one that this version of the product cannot use. */
  #build(published: PublishedConnector, others: readonly Connector[]): Connector | undefined {
    const { key, version } = published;
    const known = this.#built.get(key);
    try {
      // The same one, so that its thread stays.
      const connector = known?.version === version ? known.connector : this.declare(published);
      const taken = new Set(others.flatMap((other) => [other.key, ...other.entities.map(({ id }) => id)]));
      const ids = [key, ...connector.entities.map(({ id }) => id)].filter((id) => taken.has(id));
      const problems = [
        ...declarationProblems(connector),
        ...ids.map((id) => `${id} belongs to another connector`),
      ];
      if (problems.length > 0) throw new Error(problems.join('; '));
      return connector;
    } catch (error) {
      this.#log.error({ err: error, key, version }, 'a published connector cannot be used');
      return undefined;
    }
  }

  /**
   * Reloads whenever a process changes the connectors, and each minute, since an announcement may be lost.
   * @param context of background work
   * @returns the function that ends it
   */
  follow(context: Context): () => void {
    this.#context = context;
    const reload = () =>
      void this.reload(context).catch((error: unknown) =>
        context.log.warn({ err: error }, 'the connectors could not be read again'),
      );
    const ends = [context.broadcast.subscribe(TOPIC, reload), context.broadcast.onMissed(reload)];
    const timer = setInterval(reload, MINUTE_MS).unref();
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  }

  /** Reads the published connectors again, and converts stored records in the background if this process does such work. */
  async reload({ db, jobs, config }: Context): Promise<void> {
    const before = this.#built;
    await this.load(db);
    const changed = [...this.#built].filter(([key, { version }]) => before.get(key)?.version !== version);
    // What this process computed by the former version until now is not kept.
    for (const [, { connector }] of changed) await forgetResultsOf(db, connector);
    if (changed.length === 0 || config.ROLE === 'web') return;
    await db.transaction((tx) => startBackfill(tx, jobs));
    await startSearchIndex(db, jobs);
  }

  /** Announces a change to all processes, this one included. */
  async changed(context: Context): Promise<void> {
    await context.broadcast.publish(TOPIC, '');
    await this.reload(context);
  }
}

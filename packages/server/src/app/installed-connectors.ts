import { type Connector, type OAuthClient, ProviderError } from '@datadeck/connectors';
import { declarativeConnector, ENTERED_ADDRESS } from '@datadeck/connectors/declarative';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { ConnectorRegistry } from '../features/connections/index.ts';
import {
  hostsOf,
  listClientIds,
  listKnownEntities,
  listPublished,
  type PublishedConnector,
  readClient,
} from '../features/connectors/index.ts';
import { startSearchIndex } from '../features/search/index.ts';
import { startBackfill } from '../features/sync/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context/index.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Logger } from '../platform/log.ts';
import { createRegistry, type ProviderEndpoints } from './connector-registry.ts';
import { withPlanLimits } from './plan-limits.ts';

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
  #loading: Promise<unknown> = Promise.resolve();
  #context: Context | undefined;

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
  declare({ document, storedNames }: Pick<PublishedConnector, 'document' | 'storedNames'>): Connector {
    const hosts = hostsOf(document.baseUrl === ENTERED_ADDRESS, this.#endpoints.connectHosts);
    return declarativeConnector(document, { hosts, storedNames, client: () => this.#clientOf(document) });
  }

  /** @throws ProviderError when the administrator has entered no client, or its key is missing */
  async #clientOf({ key, title }: ConnectorDocument): Promise<OAuthClient> {
    const client = this.#context && (await readClient(this.#context, key));
    if (client) return client;
    throw new ProviderError('unavailable', clientMissing(title));
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
    const published = await listPublished(db);
    const built = new Map<string, Built>();
    const stopped: Record<string, string> = {};
    const unusable: Record<string, string> = {};
    const clients = await listClientIds(db);
    for (const one of published) {
      const connector = this.#build(one);
      if (!connector) continue;
      built.set(one.key, { version: one.version, connector });
      if (one.state !== 'published') stopped[one.key] = STOPPED[one.state];
      const { kind } = one.document.authentication;
      if (kind === 'oauth-code' && !clients.has(one.key)) unusable[one.key] = clientMissing(connector.title);
    }
    const former = this.#planLimits === undefined ? new Set<string>() : await listKnownEntities(db);
    const all = [...this.#shipped, ...[...built.values()].map(({ connector }) => connector)];
    const limited = withPlanLimits(all, this.#planLimits, {
      former,
      onFormer: (id) =>
        this.#log.warn({ entity: id }, 'PLAN_LIMITS names an entity that its connector no longer has'),
    });
    this.registry.replace(limited, { ...this.#endpoints.unavailable, ...unusable, ...stopped }, stopped);
    this.#built = built;
  }

  #build(published: PublishedConnector): Connector | undefined {
    const { key, version } = published;
    const known = this.#built.get(key);
    // The same one, so that its thread stays.
    if (known?.version === version) return known.connector;
    try {
      return this.declare(published);
    } catch (error) {
      this.#log.error({ err: error, key, version }, 'a published connector cannot be used');
      return undefined;
    }
  }

  /** Reloads whenever a process changes the connectors. @param context of background work */
  follow(context: Context): void {
    this.#context = context;
    const reload = () =>
      void this.reload(context).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'the connectors could not be read again'),
      );
    context.broadcast.subscribe(TOPIC, reload);
    context.broadcast.onMissed(reload);
  }

  /** Reads the published connectors again, and converts stored records in the background if this process does such work. */
  async reload({ db, jobs, config }: Context): Promise<void> {
    const before = this.#built;
    await this.load(db);
    const isSame =
      before.size === this.#built.size &&
      [...this.#built].every(([key, { version }]) => before.get(key)?.version === version);
    if (isSame || config.ROLE === 'web') return;
    await db.transaction((tx) => startBackfill(tx, jobs));
    await startSearchIndex(db, jobs);
  }

  /** Announces a change to all processes, after this one has reloaded. */
  async changed(context: Context): Promise<void> {
    await this.reload(context);
    await context.broadcast.publish(TOPIC, '');
  }
}

import { type Connector, declarationProblems, type EntityDefinition } from '@datadeck/connectors';
import { AppError, notFound } from '../../platform/app-error.ts';

/** Returns the first name that occurs twice. */
function firstDuplicate(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function problemsOf(connectors: readonly Connector[]): string[] {
  const key = firstDuplicate(connectors.map((connector) => connector.key));
  const entity = firstDuplicate(connectors.flatMap((connector) => connector.entities.map(({ id }) => id)));
  return [
    ...connectors.flatMap(declarationProblems),
    ...(key === undefined ? [] : [`two connectors have the key ${key}`]),
    ...(entity === undefined ? [] : [`two connectors have the entity ${entity}; entity ids must be unique`]),
  ];
}

/** Sentences by the key of a connector. */
type Sentences = Readonly<Record<string, string | undefined>>;

/** The connectors of this installation, in display order. They change when an administrator publishes one. */
export class ConnectorRegistry {
  #connectors: Map<string, Connector> = new Map();
  #unavailable: Sentences = {};
  #stopped: Sentences = {};
  #former: readonly string[] = [];

  /**
   * @param unavailable why connectors cannot be connected on this server, as sentences by key
   * @throws Error when a declaration is invalid
   */
  constructor(connectors: readonly Connector[], unavailable: Sentences = {}) {
    this.replace(connectors, unavailable);
  }

  /**
   * Replaces all connectors.
   * @param unavailable why connectors cannot be connected on this server, by key
   * @param about.stopped why their accounts cannot be synchronized any more, by key
   * @param about.former entities that stored records have and no connector any more
   * @throws Error when a declaration is invalid; the connectors of before stay
   */
  replace(
    connectors: readonly Connector[],
    unavailable: Sentences,
    { stopped = {}, former = [] }: { stopped?: Sentences; former?: readonly string[] } = {},
  ): void {
    const problems = problemsOf(connectors);
    if (problems.length > 0) throw new Error(`Invalid connector declarations: ${problems.join('; ')}`);
    this.#unavailable = unavailable;
    this.#stopped = stopped;
    this.#former = former;
    this.#connectors = new Map(connectors.map((connector) => [connector.key, connector]));
  }

  /** Returns why a provider cannot be connected on this server, as a sentence; undefined if it can. */
  unavailable(key: string): string | undefined {
    return this.#unavailable[key];
  }

  /** @throws AppError not-connected for a provider that the administrator has withdrawn */
  requireOffered(key: string): void {
    const reason = this.#stopped[key];
    if (reason !== undefined) throw new AppError('not-connected', reason);
  }

  /** Returns the entities that stored records have and no connector any more. */
  formerEntities(): readonly string[] {
    return this.#former;
  }

  /** Returns all connectors in display order. */
  all(): Connector[] {
    return [...this.#connectors.values()];
  }

  /** Returns all entities in display order. */
  entities(): EntityDefinition[] {
    return this.all().flatMap((connector) => connector.entities);
  }

  /** Returns a connector by key. @throws AppError not-found */
  connector(key: string): Connector {
    const connector = this.#connectors.get(key);
    if (!connector) throw notFound(`The provider '${key}'`);
    return connector;
  }

  /** Returns an entity of a provider. @throws AppError not-found */
  entity(provider: string, entity: string): EntityDefinition {
    const found = this.connector(provider).entities.find((candidate) => candidate.id === entity);
    if (!found) throw notFound(`The entity '${entity}'`);
    return found;
  }

  /** Returns an entity by its id; undefined for one of an earlier version. */
  findEntity(id: string): EntityDefinition | undefined {
    return this.entities().find((entity) => entity.id === id);
  }

  /** Returns the connector that declares an entity. @throws AppError not-found */
  providerOf(entity: string): Connector {
    const found = this.all().find((connector) =>
      connector.entities.some((candidate) => candidate.id === entity),
    );
    if (!found) throw notFound(`The entity '${entity}'`);
    return found;
  }
}

import { type Connector, declarationProblems, type EntityDefinition } from '@datadeck/connectors';
import { notFound } from '../../platform/app-error.ts';

/** The first name that stands twice. */
function repeatedOf(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function problemsOf(connectors: readonly Connector[]): string[] {
  const key = repeatedOf(connectors.map((connector) => connector.key));
  const entity = repeatedOf(connectors.flatMap((connector) => connector.entities.map(({ id }) => id)));
  return [
    ...connectors.flatMap(declarationProblems),
    ...(key === undefined ? [] : [`two connectors have the key ${key}`]),
    ...(entity === undefined ? [] : [`two connectors have the entity ${entity}: its id alone names it`]),
  ];
}

/** The connectors that this installation offers, in the order of the screen. */
export class ConnectorRegistry {
  readonly #connectors: Map<string, Connector>;

  /** @throws Error when one declares what cannot be */
  constructor(connectors: readonly Connector[]) {
    const problems = problemsOf(connectors);
    if (problems.length > 0) throw new Error(`The connectors do not fit: ${problems.join('; ')}`);
    this.#connectors = new Map(connectors.map((connector) => [connector.key, connector]));
  }

  all(): Connector[] {
    return [...this.#connectors.values()];
  }

  /** @throws AppError not-found */
  connector(key: string): Connector {
    const connector = this.#connectors.get(key);
    if (!connector) throw notFound(`The provider '${key}'`);
    return connector;
  }

  /** @throws AppError not-found */
  entity(provider: string, entity: string): EntityDefinition {
    const found = this.connector(provider).entities.find((candidate) => candidate.id === entity);
    if (!found) throw notFound(`The entity '${entity}'`);
    return found;
  }

  /** The provider of an entity label. @throws AppError not-found */
  providerOf(entity: string): Connector {
    const found = this.all().find((connector) =>
      connector.entities.some((candidate) => candidate.id === entity),
    );
    if (!found) throw notFound(`The entity '${entity}'`);
    return found;
  }
}

import type { Connector, EntityDefinition } from '@datadeck/connectors';
import { notFound } from '../../platform/app-error.ts';

/** The connectors that this installation offers, in the order of the screen. */
export class ConnectorRegistry {
  readonly #connectors: Map<string, Connector>;

  constructor(connectors: readonly Connector[]) {
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

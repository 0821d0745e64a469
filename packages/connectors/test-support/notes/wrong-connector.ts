import type {
  Completion,
  Connector,
  EntityDefinition,
  Json,
  Page,
  ReadRequest,
  ScopeDefinition,
} from '../../src/sdk/index.ts';

/** A connector with one mistake, and the tests of the suite that must detect it. */
export interface WrongConnector {
  /** Completes "a connector that …". */
  mistake: string;
  make(connector: Connector): Connector;
  /** Prefixes of the titles of tests that must fail; other tests may fail too. */
  caughtByTests: readonly string[];
  /** Whether it exceeds its quota, so that it is tested with a stand-in that has a quota. */
  isMetered?: true;
}

export type Reading = AsyncGenerator<Page, Completion>;

/** Returns the connector with a change to every entity. */
export function withEntity(change: (entity: EntityDefinition) => Partial<EntityDefinition>) {
  return (connector: Connector): Connector => ({
    ...connector,
    entities: connector.entities.map((entity) => ({ ...entity, ...change(entity) })),
  });
}

/** Returns the connector with a change to the scopes of every entity. */
export function withScopes(change: (scopes: ScopeDefinition) => Partial<ScopeDefinition>) {
  return withEntity(({ scopes }) => (scopes ? { scopes: { ...scopes, ...change(scopes) } } : {}));
}

/** Returns the connector with a change to `read`. */
export function withRead(read: (source: Reading, request: ReadRequest) => Reading) {
  return withEntity((entity) => ({ read: (request) => read(entity.read(request), request) }));
}

/** Returns the current position in the notebook's changes. */
export async function sequenceNow(request: ReadRequest): Promise<Json> {
  const { body } = await request.client.get<{ sequence: number }>({ path: '/head', units: 1 });
  return { sequence: body?.sequence ?? 0 };
}

/** The test that most of the faulty connectors fail. */
export const FULL_RUN = 'reads every record of the scope once';

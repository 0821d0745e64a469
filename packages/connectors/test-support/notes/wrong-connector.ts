import type {
  Completion,
  Connector,
  EntityDefinition,
  Json,
  Page,
  ReadRequest,
} from '../../src/sdk/index.ts';

/** A connector that does one thing wrong, and the tests of the suite that say so. */
export interface WrongConnector {
  does: string;
  make(connector: Connector): Connector;
  /** Beginnings of the titles of tests that must fail; others may. */
  caughtBy: readonly string[];
  /** It spends more than its budget: tried against a stand-in that has one. */
  isMetered?: true;
}

export type Reading = AsyncGenerator<Page, Completion>;

/** Changes every entity. */
export function withEntity(change: (entity: EntityDefinition) => Partial<EntityDefinition>) {
  return (connector: Connector): Connector => ({
    ...connector,
    entities: connector.entities.map((entity) => ({ ...entity, ...change(entity) })),
  });
}

/** Changes how records are read. */
export function withRead(read: (source: Reading, request: ReadRequest) => Reading) {
  return withEntity((entity) => ({ read: (request) => read(entity.read(request), request) }));
}

/** Where the notebook's changes stand now. */
export async function sequenceNow(request: ReadRequest): Promise<Json> {
  const { body } = await request.client.get<{ sequence: number }>({ path: '/head', units: 1 });
  return { sequence: body?.sequence ?? 0 };
}

/** The test that most of them fail. */
export const FULL_RUN = 'a full run brings every record of the scope once';

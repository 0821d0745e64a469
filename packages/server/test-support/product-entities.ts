import { createRegistry } from '../src/app/connector-registry.ts';
import type { StoredEntity } from '../src/features/records/index.ts';

const UNUSED = 'http://127.0.0.1:9';

/** The product's connectors, for tests without a server. */
export const PRODUCT_REGISTRY = createRegistry({
  googleIssuer: UNUSED,
  gmailApiUrl: UNUSED,
  githubUrl: UNUSED,
  githubApiUrl: UNUSED,
  google: { id: 'unused', secret: 'unused' },
  github: undefined,
  outlook: {
    url: '',
    tenant: 'common',
    client: { id: '', secret: '' },
    mailServer: { host: '', port: 993, security: 'tls' },
  },
  gmailUnitsPerMinute: 1,
  githubPointsPerMinute: 1,
  unavailable: {},
  gitlabUrl: undefined,
  connectHosts: [],
});

/** Their entities, for tests that create their tables. */
export const PRODUCT_ENTITIES: readonly StoredEntity[] = PRODUCT_REGISTRY.all().flatMap(
  (connector) => connector.entities,
);

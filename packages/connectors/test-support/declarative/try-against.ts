import type { RequestListener } from 'node:http';
import { type EntityTrial, tryEntity } from '../../src/declarative/builder/index.ts';
import { startSmallServer } from '../../src/sdk/conformance/small-server.ts';
import { plainDocument } from './hostile-service.ts';
import { API_PATH, type ServiceShape } from './shape.ts';

/** A secret with characters that encodings change. */
export const ASCII_SECRET = 'sk_live_51H/abc+def==';

/** Tries the items of the plain document against a service. */
export async function tryAgainst(
  answer: RequestListener,
  {
    secret = ASCII_SECRET,
    shape = {},
    changes = {},
  }: { secret?: string; shape?: Partial<ServiceShape>; changes?: object } = {},
): Promise<EntityTrial> {
  const server = await startSmallServer(answer);
  const trial = {
    document: JSON.stringify(plainDocument(shape, changes)),
    entity: 'gen1-items',
    config: { site: 'acme', user: 'ada' },
    secret,
    settings: { project: 'work' },
  };
  const tried = await tryEntity(trial, { baseUrl: `${server.url}${API_PATH}`, hosts: ['127.0.0.1'] });
  server.close();
  return tried;
}

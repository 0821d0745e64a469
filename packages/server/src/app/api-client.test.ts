import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ApiToken, ENDPOINTS, type Endpoint } from '@datadeck/contract';
import { EXAMPLES } from '@datadeck/contract/examples';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../../../scripts/build-client.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

/** Beside node_modules, where the types of openapi-fetch are found. */
const FOLDER = join(import.meta.dirname, '../../../../.cache/api-client');

interface Media {
  example?: unknown;
  examples?: Record<string, { value: { error: { code: string } } }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content: Record<string, Media> }>;
}

let server: TestServer;
let ada: Client;
let description: { paths: Record<string, Record<string, Operation>>; info: object };

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  const response = await fetch(`${server.url}/api/v1/openapi.json`);
  description = (await response.json()) as typeof description;
  await buildClient(description, FOLDER);
});
afterAll(() => server?.remove());

/** Returns the problems that the compiler finds in a program that imports the client. */
function problemsOf(program: string): string[] {
  const file = join(FOLDER, 'program.ts');
  writeFileSync(file, program);
  const { NodeNext } = ts.ModuleKind;
  const options = { strict: true, noEmit: true, skipLibCheck: true, module: NodeNext, types: [] };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], { ...options, target: ts.ScriptTarget.ES2022 }))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the description of the API', () => {
  it('has an example of each request and each successful answer, and of errors', () => {
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
    expect(operations).toHaveLength(Object.keys(ENDPOINTS).length);
    for (const { operationId, tags, parameters = [], requestBody, responses } of operations) {
      expect(tags, operationId).toHaveLength(1);
      const endpoint = (ENDPOINTS as Record<string, Endpoint>)[operationId];
      const { params, query, body, response, stream } = EXAMPLES[operationId as keyof typeof EXAMPLES];
      const given: Record<string, unknown> = { ...params, ...query };
      for (const { name, example } of parameters)
        expect(example, `${operationId} ${name}`).toEqual(given[name]);
      expect(requestBody?.content['application/json']?.example, operationId).toEqual(body);
      const [success] = Object.values(responses[endpoint?.status ?? 200]?.content ?? {});
      expect(success?.example, operationId).toEqual(response ?? stream?.text);
      const errors = Object.values(responses.default?.content ?? {})[0]?.examples ?? {};
      expect(Object.keys(errors), operationId).toContain('internal');
      for (const [code, { value }] of Object.entries(errors)) expect(value.error.code).toBe(code);
    }
  });
});

describe('the generated client', () => {
  it('has types that accept correct calls and refuse wrong ones', () => {
    const head = `import { createDatadeckClient } from './index.js';
      const client = createDatadeckClient({ url: '', token: '' });`;
    const right = `${head}
      const { data, error } = await client.GET('/api/v1/data/views', { params: { query: { providerId: 'github' } } });
      const title: string | undefined = data?.[0]?.title;
      const code: 'not-found' | undefined = error?.error.code === 'not-found' ? error.error.code : undefined;
      export { title, code };`;
    expect(problemsOf(right)).toEqual([]);
    expect(problemsOf(`${head} await client.GET('/api/v1/data/nothing'); export {};`)).toHaveLength(1);
    const wrong = `${head} await client.POST('/api/v1/data/views/category', { body: { name: 'x' } }); export {};`;
    expect(problemsOf(wrong).join('\n')).toMatch(/title|name/);
  });

  it('calls a running server by a token', async () => {
    const body = { name: 'client', scope: 'read', expiresInDays: 1 };
    const { token } = await ada.post<ApiToken & { token: string }>('/api/accounts/tokens', body);
    const { createDatadeckClient } = await import(pathToFileURL(join(FOLDER, 'index.js')).href);
    const client = createDatadeckClient({ url: server.url, token });

    const { data } = await client.GET('/api/v1/accounts');
    expect(data).toEqual(await ada.get('/api/accounts'));
    const query = { providerId: 'github', entityLabel: 'gh-pulls' };
    expect((await client.GET('/api/v1/data/views', { params: { query } })).data).toEqual([]);
    const refused = await client.POST('/api/v1/data/views/category', { body: { title: 'x' } });
    expect(refused.data).toBeUndefined();
    expect(refused.error).toMatchObject({ error: { code: 'token-forbids' } });
  });
});

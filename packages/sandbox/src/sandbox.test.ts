import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { ask, authorizeGithub, signInWithGoogle } from '../test-support/sign-in.ts';
import { createSandbox } from './index.ts';

describe('sandbox plugin', () => {
  it('works under a prefix next to parsers, headers and errors of the host', async () => {
    const app = Fastify();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async () => 'the host parses differently',
    );
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', "default-src 'self'");
    });
    app.setErrorHandler(async () => ({ of: 'the host' }));
    let base = '';
    const sandbox = createSandbox({ baseUrl: () => base });
    await app.register(sandbox.plugin, { prefix: '/sandbox' });
    base = `${await app.listen({ port: 0, host: '127.0.0.1' })}/sandbox`;
    expect(sandbox.urls().githubApiUrl).toBe(`${base}/github/api`);

    const { tokens } = await signInWithGoogle(sandbox);
    expect(
      (await ask(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/labels`, tokens.access_token)).status,
    ).toBe(200);
    expect(
      await (await ask(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/labels`, 'bad')).json(),
    ).toHaveProperty('error.code', 401);

    const { access_token: github = '' } = await authorizeGithub(sandbox);
    const list = await ask(
      `${sandbox.urls().githubApiUrl}/repos/aurora-labs/harbor/pulls?per_page=5`,
      github,
    );
    expect(list.headers.get('link')).toContain(`<${base}/github/api/repositories/`);

    const startPage = await fetch(`${base}/`);
    expect(await startPage.text()).toContain('Sandbox – not the real providers');
    expect(startPage.headers.get('content-security-policy')).toContain("default-src 'none'");
    await app.close();
  });

  it('uses little memory before its first request', async () => {
    const app = Fastify();
    const before = process.memoryUsage().heapUsed;
    await app.register(createSandbox({ baseUrl: 'http://127.0.0.1:1/sandbox' }).plugin, {
      prefix: '/sandbox',
    });
    await app.ready();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(15e6);
    await app.close();
  });
});

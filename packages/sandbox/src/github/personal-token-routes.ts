import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, sendPage } from '../pages/page.ts';
import { formOf } from '../requests/call.ts';
import { accountSubject } from './github-account.ts';
import type { GithubService } from './github-service.ts';
import { newTokenPage, tokensPage } from './personal-token-pages.ts';

const DAY_SECONDS = 86_400;

/** Registers GitHub's settings pages that create and delete personal access tokens. */
export function registerPersonalTokens(scope: FastifyInstance, github: GithubService): void {
  const send = (reply: FastifyReply, page: Parameters<typeof sendPage>[2]) =>
    sendPage(reply.header('cache-control', 'no-store'), github.context.settings.base(), page);
  const settings = () => `${pathOf(github.links.web)}/settings`;
  const forms = [
    { path: 'personal-access-tokens', kind: 'fine-grained' },
    { path: 'tokens', kind: 'classic' },
  ] as const;
  for (const { path, kind } of forms) {
    scope.get(`/settings/${path}/new`, async (_request, reply) =>
      send(reply, newTokenPage({ action: `${settings()}/${path}/new`, kind, accounts: github.accounts })),
    );
    scope.post(`/settings/${path}/new`, async (request, reply) =>
      send(reply, tokensPage({ action: `${settings()}/${path}`, token: issueFrom(github, request, kind) })),
    );
    scope.get(`/settings/${path}`, async (_request, reply) =>
      send(reply, tokensPage({ action: `${settings()}/${path}` })),
    );
    scope.post(`/settings/${path}`, async (request, reply) => {
      github.personalTokens.delete((formOf(request).get('token') ?? '').trim());
      return send(reply, tokensPage({ action: `${settings()}/${path}`, isDeleted: true }));
    });
  }
}

function issueFrom(github: GithubService, request: FastifyRequest, kind: 'fine-grained' | 'classic'): string {
  const form = formOf(request);
  const account = github.accounts.findIndex((each) => accountSubject(each) === form.get('account'));
  const days = Math.min(366, Math.max(0, Number(form.get('days')) || 0));
  return github.personalTokens.issue({
    account: Math.max(0, account),
    kind,
    privateRepositories: form.has('private'),
    pullRequests: form.has('pulls'),
    issues: form.has('issues'),
    actions: form.has('actions'),
    contents: form.has('contents'),
    expiresAt: days === 0 ? 0 : Date.now() / 1000 + days * DAY_SECONDS,
  });
}

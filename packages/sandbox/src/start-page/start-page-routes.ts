import type { FastifyInstance } from 'fastify';
import type { PullRepository } from '../github/pull-repository.ts';
import { userId } from '../github/user-shape.ts';
import { fullName, type GoogleAccount } from '../google/google-account.ts';
import type { MicrosoftAccount } from '../microsoft/microsoft-account.ts';
import { html } from '../pages/html.ts';
import { avatar, sendPage } from '../pages/page.ts';

/** The data on the start page. */
export interface StartPageFacts {
  base(): string;
  urls(): Record<string, string>;
  googleAccounts(): readonly GoogleAccount[];
  microsoftAccounts(): readonly MicrosoftAccount[];
  repositories(): readonly PullRepository[];
}

/** Registers the start page `/`, which lists the sandbox's data, and SVG avatars: `/github/avatars/LOGIN.svg`. */
export async function registerStartPage(scope: FastifyInstance, facts: StartPageFacts): Promise<void> {
  scope.get('/', async (_request, reply) => {
    const accounts = facts
      .googleAccounts()
      .map(
        (account) =>
          html`<tr><td>${avatar(fullName(account))}</td><td>${fullName(account)}</td><td>${account.email}</td></tr>`,
      );
    const mailboxes = facts
      .microsoftAccounts()
      .map(({ name, address }) => html`<tr><td>${avatar(name)}</td><td>${name}</td><td>${address}</td></tr>`);
    const repositories = facts
      .repositories()
      .map((each) => html`<tr><td>${each.fullName}</td><td class="number">${each.rows().length}</td></tr>`);
    const urls = Object.entries(facts.urls()).map(
      ([name, address]) => html`<tr><td>${name}</td><td><code>${address}</code></td></tr>`,
    );
    const body = html`<section class="card wide">
<h1>Datadeck sandbox</h1>
<p class="lead">Simulated Google, GitHub and Microsoft sign-in. All data is invented or comes from a folder on this server.</p>
<h2>Google accounts</h2><table>${accounts}</table>
<h2>Microsoft accounts</h2>
<p>For the sign-in alone: their mail is on a server of your own (OUTLOOK_IMAP_HOST).</p>
<table>${mailboxes}</table>
<h2>GitHub repositories and their pull requests</h2><table>${repositories}</table>
<h2>Addresses</h2><table>${urls}</table>
</section>`;
    return sendPage(reply, facts.base(), { provider: 'Datadeck', title: 'Datadeck sandbox', body });
  });

  scope.get('/github/avatars/:login', async (request, reply) => {
    const { login = '' } = request.params as { login?: string };
    const name = login.replace(/\.svg$/, '');
    const initials = name
      .split('-')
      .slice(0, 2)
      .map((word) => word.charAt(0).toUpperCase())
      .join('');
    const { markup } =
      html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="hsl(${userId(name) % 360} 45% 42%)"/><text x="32" y="41" font-family="sans-serif" font-size="26" fill="#fff" text-anchor="middle">${initials}</text></svg>`;
    return reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=3600')
      .header('content-security-policy', "default-src 'none'")
      .send(markup);
  });
}

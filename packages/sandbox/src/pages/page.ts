import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

const STYLE = readFileSync(new URL('./sandbox.css', import.meta.url));

/** A web page for users. */
export interface Page {
  provider: 'Google' | 'GitHub' | 'Microsoft' | 'Datadeck';
  title: string;
  body: Html;
  /** Where a form of the page may redirect to; browsers check redirects after a form too. */
  formTarget?: string;
  status?: number;
}

/** Sends the page with a policy that allows only its own style sheet and forms. */
export function sendPage(reply: FastifyReply, base: string, page: Page): FastifyReply {
  const target = page.formTarget === undefined ? '' : ` ${new URL(page.formTarget).origin}`;
  const policy = `default-src 'none'; style-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`;
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(document(base, page).markup);
}

function document(base: string, page: Page): Html {
  const label =
    page.provider === 'Datadeck'
      ? 'Sandbox – not the real providers'
      : `Sandbox – not the real ${page.provider}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${label}</title>
<link rel="stylesheet" href="${pathOf(base)}/assets/sandbox.css">
</head>
<body class="provider-${page.provider.toLowerCase()}">
<p class="notice" role="note"><strong>${label}.</strong> Made-up accounts on this machine; no password is asked for.</p>
<main>
${page.body}
</main>
</body>
</html>
`;
}

/** Returns the path of an address. Links contain no host, because the browser may use another name for it. */
export function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/$/, '');
}

/** Registers the style sheet of the pages. */
export function registerPageAssets(scope: FastifyInstance): void {
  scope.get('/assets/sandbox.css', async (_request, reply) => {
    return reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(STYLE);
  });
}

/** Returns a round avatar with the initials of the name, in a colour derived from the name. */
export function avatar(name: string): Html {
  const initials = name
    .split(/[\s-]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  const shade =
    [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7) % 6;
  return html`<span class="avatar shade-${shade}" aria-hidden="true">${initials}</span>`;
}

/** Returns a page that reports an error. */
export function errorPage(provider: Page['provider'], title: string, detail: string): Page {
  const body = html`<section class="card"><h1>${title}</h1><p>${detail}</p></section>`;
  return { provider, title, body, status: 400 };
}

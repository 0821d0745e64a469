import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readChallenge } from '../oauth/pkce.ts';
import { isAllowedRedirect, withParameters } from '../oauth/redirect-address.ts';
import { accountChooser } from '../pages/account-chooser.ts';
import { errorPage, pathOf, sendPage } from '../pages/page.ts';
import { formOf, queryOf } from '../requests/call.ts';
import { belongsTo, subjectOf } from './microsoft-account.ts';
import { describeRefusal, type MicrosoftRefusal } from './microsoft-error.ts';
import { permissionsPage } from './microsoft-pages.ts';
import type { MicrosoftInteraction, MicrosoftRequest, MicrosoftService } from './microsoft-service.ts';

const DECLINED: MicrosoftRefusal = {
  error: 'access_denied',
  code: 65004,
  text: 'User declined to consent to access the app.',
};

/** Registers the authorisation endpoint with its pages: account chooser, permissions, and the redirect to the product. */
export function registerMicrosoftAuthorization(scope: FastifyInstance, microsoft: MicrosoftService): void {
  scope.get('/:tenant/oauth2/v2.0/authorize', async (request, reply) => begin(microsoft, request, reply));
  scope.post('/signin/account', async (request, reply) => choose(microsoft, request, reply));
  scope.post('/signin/consent', async (request, reply) => decide(microsoft, request, reply));
}

function readRequest(
  microsoft: MicrosoftService,
  tenant: string,
  query: URLSearchParams,
): MicrosoftRequest | MicrosoftRefusal {
  const { settings } = microsoft.context;
  const invalid = (code: number, text: string) => ({ error: 'invalid_request', code, text });
  if (microsoft.issuerAt(tenant) === undefined) return invalid(90002, `Tenant '${tenant}' not found.`);
  if (query.get('client_id') !== settings.clients.microsoft.id)
    return { error: 'unauthorized_client', code: 700016, text: 'The application was not found.' };
  const redirectUri = query.get('redirect_uri');
  if (!isAllowedRedirect(redirectUri, settings.base()))
    return invalid(50011, `The redirect URI '${redirectUri ?? ''}' does not match the ones of the app.`);
  if (query.get('response_type') !== 'code') return invalid(700054, 'response_type must be "code".');
  const challenge = readChallenge(query);
  if (challenge === 'invalid') return invalid(501481, 'The Code_Challenge is malformed.');
  const list = (name: string) => (query.get(name) ?? '').split(' ').filter((value) => value !== '');
  return {
    tenant,
    redirectUri,
    challenge,
    scopes: list('scope'),
    prompt: list('prompt'),
    state: query.get('state') ?? undefined,
    nonce: query.get('nonce') ?? undefined,
    loginHint: query.get('login_hint') ?? undefined,
  };
}

function begin(microsoft: MicrosoftService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { tenant = '' } = request.params as { tenant?: string };
  const checked = readRequest(microsoft, tenant, queryOf(request));
  if ('error' in checked) {
    const page = errorPage(
      'Microsoft',
      'Sorry, but we’re having trouble signing you in.',
      describeRefusal(checked),
    );
    return sendPage(reply, microsoft.context.settings.base(), page);
  }
  const interaction: MicrosoftInteraction = { request: checked };
  const key = microsoft.interactions.put(interaction);
  const accounts = microsoft.accounts.filter((account) => belongsTo(account, tenant));
  const hinted = accounts.find(({ address }) => address === checked.loginHint);
  if (hinted && !checked.prompt.includes('select_account'))
    return continueAs(microsoft, reply, { key, interaction, subject: subjectOf(hinted) });
  const choices = accounts.map((account) => ({
    value: subjectOf(account),
    name: account.name,
    detail: account.address,
    hasFocus: account === hinted,
  }));
  const form = formFor(microsoft, 'account', { key, request: checked });
  return sendPage(reply, microsoft.context.settings.base(), accountChooser('Microsoft', form, choices));
}

function choose(microsoft: MicrosoftService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = formOf(request);
  const key = form.get('interaction') ?? '';
  const interaction = microsoft.interactions.get(key);
  if (!interaction) return expired(microsoft, reply);
  return continueAs(microsoft, reply, { key, interaction, subject: form.get('account') ?? '' });
}

interface Chosen {
  key: string;
  interaction: MicrosoftInteraction;
  subject: string;
}

/** Shows the permissions, or skips them if the account has accepted them before. */
function continueAs(microsoft: MicrosoftService, reply: FastifyReply, chosen: Chosen): FastifyReply {
  const { key, interaction, subject } = chosen;
  const account = microsoft.bySubject(subject);
  if (!account) return expired(microsoft, reply);
  interaction.subject = subject;
  if (microsoft.hasConsented(subject) && !interaction.request.prompt.includes('consent'))
    return finish(microsoft, reply, chosen);
  const form = formFor(microsoft, 'consent', { key, request: interaction.request });
  const page = permissionsPage(form, account, interaction.request.scopes);
  return sendPage(reply, microsoft.context.settings.base(), page);
}

function decide(microsoft: MicrosoftService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = formOf(request);
  const key = form.get('interaction') ?? '';
  const interaction = microsoft.interactions.get(key);
  const { subject } = interaction ?? {};
  if (!interaction || subject === undefined) return expired(microsoft, reply);
  if (form.get('decision') !== 'allow') {
    microsoft.interactions.take(key);
    return leave(reply, interaction.request, {
      error: DECLINED.error,
      error_description: describeRefusal(DECLINED),
    });
  }
  microsoft.consent(subject);
  return finish(microsoft, reply, { key, interaction, subject });
}

function finish(
  microsoft: MicrosoftService,
  reply: FastifyReply,
  { key, interaction: { request }, subject }: Chosen,
): FastifyReply {
  microsoft.interactions.take(key);
  return leave(reply, request, { code: microsoft.codes.put({ request, subject }), session_state: 'sandbox' });
}

function leave(
  reply: FastifyReply,
  { redirectUri, state }: MicrosoftRequest,
  answer: Record<string, string>,
): FastifyReply {
  const address = withParameters(redirectUri, { state, ...answer });
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

function expired(microsoft: MicrosoftService, reply: FastifyReply): FastifyReply {
  const page = errorPage('Microsoft', 'This sign-in has expired', 'Go back to Datadeck and begin again.');
  return sendPage(reply, microsoft.context.settings.base(), page);
}

function formFor(
  microsoft: MicrosoftService,
  step: 'account' | 'consent',
  { key, request }: { key: string; request: MicrosoftRequest },
) {
  return {
    action: `${pathOf(microsoft.url)}/signin/${step}`,
    interaction: key,
    formTarget: request.redirectUri,
  };
}

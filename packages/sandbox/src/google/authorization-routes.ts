import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withParameters } from '../oauth/redirect-address.ts';
import { errorPage, pathOf, sendPage } from '../pages/page.ts';
import { formOf, queryOf } from '../requests/call.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { accountChooser, consentPage } from './google-pages.ts';
import { isSignInScope } from './google-scopes.ts';
import type { AuthorizationRequest, GoogleService, Interaction } from './google-service.ts';

/** Registers the authorisation endpoint with its pages: account chooser, consent, and the redirect to the product. */
export function registerAuthorization(scope: FastifyInstance, google: GoogleService): void {
  scope.get('/o/oauth2/v2/auth', async (request, reply) => beginAuthorization(google, request, reply));
  scope.post('/o/oauth2/v2/auth/account', async (request, reply) => chooseAccount(google, request, reply));
  scope.post('/o/oauth2/v2/auth/consent', async (request, reply) => decide(google, request, reply));
}

function beginAuthorization(
  google: GoogleService,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const checked = readAuthorizationRequest(google, queryOf(request));
  if ('error' in checked) {
    const page = errorPage('Google', `Access blocked: ${checked.error}`, checked.detail);
    return sendPage(reply, google.context.settings.base(), { ...page, status: checked.status });
  }
  if (checked.prompt.includes('none')) return leave(reply, checked, { error: 'login_required' });
  const interaction: Interaction = { request: checked };
  const hinted = google.accounts
    .all()
    .find(({ email, subject }) => [email, subject].includes(checked.loginHint ?? ''));
  if (hinted && !checked.prompt.includes('select_account')) {
    return continueAs(google, reply, {
      key: google.interactions.put(interaction),
      interaction,
      subject: hinted.subject,
    });
  }
  const form = formFor(google, 'account', { key: google.interactions.put(interaction), request: checked });
  return sendPage(reply, google.context.settings.base(), accountChooser(form, google.accounts.all(), hinted));
}

function chooseAccount(google: GoogleService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = formOf(request);
  const key = form.get('interaction') ?? '';
  const interaction = google.interactions.get(key);
  const subject = form.get('account') ?? '';
  if (!interaction || !google.accounts.bySubject(subject)) return expired(google, reply);
  return continueAs(google, reply, { key, interaction, subject });
}

interface Chosen {
  key: string;
  interaction: Interaction;
  subject: string;
}

/** Shows the consent page, or skips it if everything was granted before and the prompt does not require it. */
function continueAs(google: GoogleService, reply: FastifyReply, chosen: Chosen): FastifyReply {
  const { interaction, subject } = chosen;
  const { request } = interaction;
  interaction.subject = subject;
  const account = google.accounts.bySubject(subject);
  if (!account) return expired(google, reply);
  const granted = google.grantedScopes(subject);
  if (!request.prompt.includes('consent') && request.scopes.every((scope) => granted.has(scope))) {
    google.interactions.take(chosen.key);
    return finish(google, reply, { ...chosen, scopes: request.scopes });
  }
  const form = formFor(google, 'consent', { key: chosen.key, request });
  return sendPage(reply, google.context.settings.base(), consentPage(form, account, request.scopes));
}

function decide(google: GoogleService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = formOf(request);
  const key = form.get('interaction') ?? '';
  const interaction = google.interactions.take(key);
  if (!interaction?.subject) return expired(google, reply);
  if (form.get('decision') !== 'allow') return leave(reply, interaction.request, { error: 'access_denied' });
  const ticked = form.getAll('scope');
  const scopes = interaction.request.scopes.filter((scope) => isSignInScope(scope) || ticked.includes(scope));
  return finish(google, reply, { key, interaction, subject: interaction.subject, scopes });
}

function finish(
  google: GoogleService,
  reply: FastifyReply,
  chosen: Chosen & { scopes: string[] },
): FastifyReply {
  const { subject, scopes } = chosen;
  const { request } = chosen.interaction;
  const all = request.includeGranted ? [...new Set([...scopes, ...google.grantedScopes(subject)])] : scopes;
  google.remember(subject, all);
  // Google also returns a refresh token on the very first consent, but clients should not rely on that.
  const offline = request.offline && request.prompt.includes('consent');
  const code = `4/0${google.codes.put({ request, subject, scopes: all, offline })}`;
  const answer = { code, scope: all.join(' '), authuser: '0', prompt: request.prompt.join(' ') || 'none' };
  return leave(reply, request, answer);
}

function leave(
  reply: FastifyReply,
  { redirectUri, state }: AuthorizationRequest,
  answer: Record<string, string>,
): FastifyReply {
  const address = withParameters(redirectUri, { state, ...answer });
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

function expired(google: GoogleService, reply: FastifyReply): FastifyReply {
  const page = errorPage('Google', 'This sign-in has expired', 'Go back to Datadeck and begin again.');
  return sendPage(reply, google.context.settings.base(), page);
}

function formFor(
  google: GoogleService,
  step: 'account' | 'consent',
  entry: { key: string; request: AuthorizationRequest },
) {
  return {
    action: `${pathOf(google.issuer)}/o/oauth2/v2/auth/${step}`,
    interaction: entry.key,
    formTarget: entry.request.redirectUri,
  };
}

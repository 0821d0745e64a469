import type { FastifyRequest } from 'fastify';
import { tokenFrom } from '../requests/call.ts';
import type { OAuthClient } from '../settings/sandbox-options.ts';

/** Returns the credentials of a request: HTTP Basic (RFC 6749, 2.3.1), or else the form's fields. */
export function credentialsOf(request: FastifyRequest, form: URLSearchParams): OAuthClient | undefined {
  const basic = tokenFrom(request, ['basic']);
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(/:(.*)/s, 2);
    return { id: formDecoded(id), secret: formDecoded(secret) };
  }
  const id = form.get('client_id');
  return id === null ? undefined : { id, secret: form.get('client_secret') ?? '' };
}

/** Returns whether the credentials are those of the client. */
export function isClient(client: OAuthClient, credentials: OAuthClient | undefined): boolean {
  return credentials?.id === client.id && credentials.secret === client.secret;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { addressFieldOf } from './access.ts';
import { fieldTexts, keysBeside, namedFields, namesIn, usedFields } from './form-values.ts';
import { ownParts, repeatedParts } from './repeated-parts.ts';

type Report = (path: string, message: string) => void;

/** Reports hidden fields that nothing can use, and uses of fields that must be hidden. */
export function checkHiddenFields(document: ConnectorDocument, report: Report): void {
  const { authentication, connect } = document;
  const named = namedFields(authentication);
  const used = usedFields(authentication);
  for (const [index, { name, hidden, defaultValue }] of connect.fields.entries()) {
    if (!hidden) continue;
    const path = `connect.fields.${index}`;
    if (defaultValue !== '') report(`${path}.defaultValue`, 'A secret has no default value.');
    if (name === addressFieldOf(document)) report('baseUrl', `The field ${name} is a secret.`);
    else if (!used.includes(name))
      report(path, 'The authentication does not use this secret, and nothing else can read it.');
    if (isRead(document, name))
      report(path, `An expression reads config.${name}, but only the authentication can read a secret.`);
  }
  const fields = new Map(connect.fields.map((field) => [field.name, field]));
  for (const [place, name] of Object.entries(named)) {
    const field = fields.get(name);
    const isSecret = place.startsWith('keys.') && name === connect.secret?.name;
    if (isSecret && authentication.kind === 'refresh-token')
      report(`authentication.${place}`, 'A refresh token changes, so it is no key of requests.');
    else if (!field && !isSecret) report(`authentication.${place}`, `The form has no field ${name}.`);
    else if (field && isSecretPlace(place) && !field.hidden)
      report(`authentication.${place}`, `The field ${name} must be a secret.`);
  }
  checkTexts(document, report);
  checkNames(authentication, report);
  if ('tokenUrl' in authentication || authentication.kind === 'session-token')
    checkParts(authentication, report);
  if (authentication.kind === 'session-token') checkSession(document, authentication, report);
  if (authentication.kind === 'basic' && authentication.user !== undefined && authentication.password)
    report('authentication.password', 'With a field for the user, the secret is the password.');
}

function isRead({ identity, failed, entities }: ConnectorDocument, name: string): boolean {
  const text = JSON.stringify([identity, failed, entities]);
  return [...text.matchAll(/\bconfig\s?\.\s?([A-Za-z0-9]+)/g)].some(([, read]) => read === name);
}

const isSecretPlace = (place: string) => /^(?:others|keys)\.|^clientSecret$/.test(place);

/** Reports keys that are sent by the name of another one, or in place of the token. */
function checkNames(authentication: ConnectorDocument['authentication'], report: Report): void {
  const first =
    authentication.kind === 'api-key' || authentication.kind === 'session-token'
      ? { in: authentication.in ?? 'header', name: authentication.name }
      : { in: 'header', name: 'authorization' };
  const [member, others] =
    authentication.kind === 'api-key'
      ? ['others', authentication.others ?? []]
      : ['keys', keysBeside(authentication)];
  const keyOf = ({ in: place, name }: { in: string; name: string }) =>
    `${place} ${place === 'header' ? name.toLowerCase() : name}`;
  const keys = [first, ...others].map(keyOf);
  for (const [index, { name }] of others.entries())
    if (keys.indexOf(keys[index + 1] ?? '') <= index)
      report(`authentication.${member}.${index}.name`, `Another secret is sent as ${name}.`);
}

/** Reports parts of a request for a token that repeat another one, or replace what the request has itself. */
function checkParts(
  authentication: Extract<ConnectorDocument['authentication'], { tokenUrl?: unknown }>,
  report: Report,
): void {
  const parts = ('tokenParts' in authentication && authentication.tokenParts) || [];
  for (const index of repeatedParts(parts, ownParts(authentication)))
    report(`authentication.tokenParts.${index}.name`, `Another part is sent as ${parts[index]?.name}.`);
}

/** Reports holes of texts that name no field, and texts that cannot be sent. */
function checkTexts({ authentication, connect }: ConnectorDocument, report: Report): void {
  const secret = connect.secret?.name;
  const names = connect.fields.map(({ name }) => name);
  for (const [place, text] of Object.entries(fieldTexts(authentication)))
    for (const name of namesIn(text))
      if (!names.includes(name) && (name !== secret || place === 'userText'))
        report(`authentication.${place}`, `The form has no field ${name}.`);
  if (authentication.kind === 'basic' && authentication.userText !== undefined && !authentication.user)
    report('authentication.userText', 'Without a field for the user, the secret is the user.');
  if (authentication.kind === 'basic' && authentication.userText?.includes(':'))
    report('authentication.userText', 'A user name has no colon.');
  if (authentication.kind !== 'api-key' || authentication.value === undefined) return;
  if (!namesIn(authentication.value).includes(secret ?? ''))
    report('authentication.value', `It must have the secret: {${secret ?? 'secret'}}.`);
  if (authentication.prefix !== '')
    report('authentication.prefix', 'With a value, nothing is sent before the secret.');
}

/** Reports a sign-in without an address or a secret, and one that sends a body by GET. */
function checkSession(
  { connect }: ConnectorDocument,
  {
    path,
    tokenUrl,
    user,
    send,
    method,
    tokenParts = [],
  }: Extract<ConnectorDocument['authentication'], { kind: 'session-token' }>,
  report: Report,
): void {
  if ((path === undefined) === (tokenUrl === undefined))
    report('authentication.path', 'Name the path of the sign-in, or its address as tokenUrl.');
  const isSent = tokenParts.some(({ value }) => namesIn(value).includes(connect.secret?.name ?? ''));
  if (user === undefined && !isSent)
    report(
      'authentication.user',
      'Without a field for the user, one of the token parts must have the secret.',
    );
  const hasBody = (user !== undefined && send === 'body') || tokenParts.some((part) => part.in === 'body');
  if (method === 'GET' && hasBody)
    report('authentication.method', 'A GET has no body: choose POST, or send nothing in the body.');
}

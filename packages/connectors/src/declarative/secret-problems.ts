import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { addressFieldOf } from './access.ts';
import { namedFields } from './form-values.ts';

type Report = (path: string, message: string) => void;

/** Reports hidden fields that nothing can use, and uses of fields that must be hidden. */
export function checkHiddenFields(document: ConnectorDocument, report: Report): void {
  const { authentication, connect } = document;
  const named = namedFields(authentication);
  for (const [index, { name, hidden, defaultValue }] of connect.fields.entries()) {
    if (!hidden) continue;
    const path = `connect.fields.${index}`;
    if (defaultValue !== '') report(`${path}.defaultValue`, 'A secret has no default value.');
    if (name === addressFieldOf(document)) report('baseUrl', `The field ${name} is a secret.`);
    else if (!Object.values(named).includes(name))
      report(path, 'The authentication does not use this secret, and nothing else can read it.');
    if (isRead(document, name))
      report(path, `An expression reads config.${name}, but only the authentication can read a secret.`);
  }
  const fields = new Map(connect.fields.map((field) => [field.name, field]));
  for (const [place, name] of Object.entries(named)) {
    const field = fields.get(name);
    if (!field) report(`authentication.${place}`, `The form has no field ${name}.`);
    else if (isSecretPlace(place) && !field.hidden)
      report(`authentication.${place}`, `The field ${name} must be a secret.`);
  }
  if (authentication.kind === 'api-key') checkNames(authentication, report);
  if (authentication.kind === 'basic' && authentication.user !== undefined && authentication.password)
    report('authentication.password', 'With a field for the user, the secret is the password.');
}

function isRead({ identity, failed, entities }: ConnectorDocument, name: string): boolean {
  const text = JSON.stringify([identity, failed, entities]);
  return [...text.matchAll(/\bconfig\s?\.\s?([A-Za-z0-9]+)/g)].some(([, read]) => read === name);
}

const isSecretPlace = (place: string) => place.startsWith('others.') || place === 'clientSecret';

function checkNames(
  { others = [], ...first }: Extract<ConnectorDocument['authentication'], { kind: 'api-key' }>,
  report: Report,
): void {
  const keyOf = ({ in: place, name }: { in: string; name: string }) =>
    `${place} ${place === 'header' ? name.toLowerCase() : name}`;
  const keys = [first, ...others].map(keyOf);
  for (const [index, { name }] of others.entries())
    if (keys.indexOf(keys[index + 1] ?? '') <= index)
      report(`authentication.others.${index}.name`, `Another secret is sent as ${name}.`);
}

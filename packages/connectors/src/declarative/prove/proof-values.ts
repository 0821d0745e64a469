import { matchesPattern } from '@datadeck/contract';
import type { ConnectorDocument, DocumentField } from '@datadeck/contract/connector-document';
import { PAGE_SIZE } from './stand-in-list.ts';

/** Returns a value for a field of a form: its default, its example, or a made-up text. */
function valueFor({ defaultValue, placeholder, pattern, required }: DocumentField): string {
  const fits = (text: string) => text !== '' && (pattern === '' || matchesPattern(text, pattern));
  return [defaultValue, placeholder].find(fits) ?? (required ? 'proof' : '');
}

/** Returns a value for each field of a form. */
export function valuesFor(fields: readonly DocumentField[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]));
}

/** A secret that a person enters, for documents that get theirs on a page of the service. */
const ENTERED_SECRET: DocumentField = {
  name: 'secret',
  label: 'Secret',
  tip: '',
  required: true,
  pattern: '',
  placeholder: '',
  errorText: '',
  defaultValue: '',
};

/** Returns an authentication that sends the secret itself: tokens would be requested from the real service. */
function withoutExchange({ authentication }: ConnectorDocument): ConnectorDocument['authentication'] {
  switch (authentication.kind) {
    case 'client-credentials':
    case 'oauth-code':
      return { kind: 'bearer' };
    case 'session-token':
      return { kind: 'api-key', in: 'header', name: authentication.name, prefix: authentication.prefix };
    default:
      return authentication;
  }
}

/** Returns a document that only the stand-in is asked for, and whose pages are as small as those of the stand-in. */
export function provableDocument(document: ConnectorDocument): ConnectorDocument {
  const entities = document.entities.map((entity) =>
    'size' in entity.pagination
      ? { ...entity, pagination: { ...entity.pagination, size: PAGE_SIZE } }
      : entity,
  );
  const { secret } = document.connect;
  const hasPage = document.authentication.kind === 'oauth-code';
  const connect = hasPage ? { ...document.connect, secret: secret ?? ENTERED_SECRET } : document.connect;
  return { ...document, authentication: withoutExchange(document), connect, entities };
}

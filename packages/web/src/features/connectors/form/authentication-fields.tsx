import { listAt, membersAt, textAt, valueAt } from '../document/document-text.ts';
import { findMentions } from '../document/rename.ts';
import { useDocumentForm } from './form-context.ts';
import { ChoiceValue, TextValue, WordsValue } from './values.tsx';

/** The kinds of authentication. */
export const AUTHENTICATION_KINDS = [
  { value: 'none', label: 'No sign-in' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'api-key', label: 'API key' },
  { value: 'basic', label: 'User and password' },
  { value: 'oauth-code', label: 'OAuth on the page of the provider' },
  { value: 'session-token', label: 'Sign-in that answers with a token' },
  { value: 'client-credentials', label: 'OAuth client credentials' },
];

/** What each kind begins with, in addition to its name. */
const INITIAL_MEMBERS: Readonly<Record<string, Record<string, unknown>>> = {
  'api-key': { in: 'header', name: 'X-Api-Key' },
  basic: { user: 'user' },
  'session-token': { user: 'user', path: '/login', token: 'token' },
  'client-credentials': { user: 'client', tokenUrl: 'https://' },
  'oauth-code': { authorizationUrl: 'https://', tokenUrl: 'https://' },
};

/** Labels of the secret and of the field with the user. */
const SECRET_LABELS: Readonly<Record<string, string>> = {
  'api-key': 'API key',
  basic: 'Password',
  'session-token': 'Password',
  'client-credentials': 'Client secret',
};

const nameOf = (field: unknown) => textAt(field, ['name']);

/** Returns the fields of a connect form with those that it had before; what it has now stays as it is. */
function withFormerFields(now: readonly unknown[], former: readonly unknown[]): readonly unknown[] {
  const found = (fields: readonly unknown[], one: unknown) =>
    fields.find((other) => nameOf(other) === nameOf(one));
  return [
    ...former.map((one) => found(now, one) ?? one),
    ...now.filter((one) => found(former, one) === undefined),
  ];
}

/**
 * Returns the members of a document for another kind of authentication, and a connect form that has what the kind needs.
 * @param former what was entered when the document had that kind before
 */
export function withAuthentication(
  document: Record<string, unknown>,
  kind: string,
  former: Record<string, unknown> = {},
): Record<string, unknown> {
  const { secret, fields, ...rest } = membersAt(document, ['connect']);
  const authentication = former.authentication ?? { kind, ...INITIAL_MEMBERS[kind] };
  const connect: Record<string, unknown> = { ...rest };
  const user = textAt(authentication, ['user']);
  const left = textAt(document, ['authentication', 'user']);
  // The field with the user goes with its kind, unless requests read it.
  const isLeft = (name: string) =>
    name !== '' &&
    name === left &&
    name !== user &&
    findMentions(document, [], `config.${name}`).length === 0;
  const now = listAt({ fields }, ['fields']).filter((field) => !isLeft(nameOf(field)));
  const all = withFormerFields(now, listAt(former, ['connect', 'fields']));
  const hasUser = user === '' || all.some((field) => nameOf(field) === user);
  const userField = { name: user, label: user === 'client' ? 'Client id' : 'User name' };
  const shown = hasUser ? all : [userField, ...all];
  // The page of the provider asks for everything.
  if (shown.length > 0 && kind !== 'oauth-code') connect.fields = shown;
  if (kind !== 'none' && kind !== 'oauth-code')
    connect.secret = secret ??
      valueAt(former, ['connect', 'secret']) ?? { name: 'token', label: SECRET_LABELS[kind] ?? 'API token' };
  return { ...document, authentication, connect };
}

const AT = 'authentication';
const SEND = [
  { value: 'header', label: 'As a header (Basic)' },
  { value: 'body', label: 'In the body' },
];

/** The fields of the chosen kind of authentication. */
export function AuthenticationFields() {
  const { document } = useDocumentForm();
  const kind = textAt(document, [AT, 'kind']);
  const user = (
    <TextValue
      path={[AT, 'user']}
      label={kind === 'client-credentials' ? 'Field with the client id' : 'Field with the user'}
      required
      isCode
      hint="The name of a field below."
    />
  );
  switch (kind) {
    case 'basic':
      return user;
    case 'api-key':
      return (
        <>
          <ChoiceValue
            path={[AT, 'in']}
            label="Sent in"
            options={[
              { value: 'header', label: 'A header' },
              { value: 'query', label: 'A query parameter' },
            ]}
          />
          <TextValue path={[AT, 'name']} label="Name" required isCode />
          <TextValue path={[AT, 'prefix']} label="Text before the key" isCode placeholder="Token " />
        </>
      );
    case 'oauth-code':
      return (
        <>
          <TextValue
            path={[AT, 'authorizationUrl']}
            label="Address of the page"
            required
            isCode
            placeholder="https://login.example.com/oauth/authorize"
          />
          <TextValue
            path={[AT, 'tokenUrl']}
            label="Address for tokens"
            required
            isCode
            placeholder="https://login.example.com/oauth/token"
          />
          <WordsValue path={[AT, 'scopes']} label="Scopes" hint="Separated by spaces." />
          <ChoiceValue
            path={[AT, 'send']}
            label="Id and secret are sent"
            none="In the body"
            options={SEND.slice(0, 1)}
          />
        </>
      );
    case 'client-credentials':
      return (
        <>
          {user}
          <TextValue
            path={[AT, 'tokenUrl']}
            label="Address for tokens"
            required
            isCode
            placeholder="https://login.example.com/oauth/token"
          />
          <WordsValue path={[AT, 'scopes']} label="Scopes" hint="Separated by spaces." />
          <ChoiceValue
            path={[AT, 'send']}
            label="Id and secret are sent"
            none="As a header (Basic)"
            options={SEND.slice(1)}
          />
        </>
      );
    case 'session-token':
      return (
        <>
          {user}
          <TextValue path={[AT, 'path']} label="Path of the sign-in" required isCode placeholder="/login" />
          <TextValue
            path={[AT, 'token']}
            label="Field of the answer with the token"
            required
            isCode
            placeholder="data.token"
          />
          <ChoiceValue
            path={[AT, 'send']}
            label="User and password are sent"
            none="In the body"
            options={SEND.slice(0, 1)}
          />
          {textAt(document, [AT, 'send']) !== 'header' && (
            <>
              <TextValue
                path={[AT, 'userParameter']}
                label="Member with the user"
                isCode
                placeholder="username"
              />
              <TextValue
                path={[AT, 'secretParameter']}
                label="Member with the password"
                isCode
                placeholder="password"
              />
            </>
          )}
          <TextValue path={[AT, 'name']} label="Header with the token" isCode placeholder="authorization" />
          <TextValue path={[AT, 'prefix']} label="Text before the token" isCode placeholder="Bearer " />
        </>
      );
    default:
      return null;
  }
}

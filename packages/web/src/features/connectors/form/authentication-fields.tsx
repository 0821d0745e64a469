import { textAt } from '../document/document-text.ts';
import { useDocumentForm } from './form-context.ts';
import { ChoiceValue, TextValue, WordsValue } from './values.tsx';

/** The kinds of authentication. */
export const KINDS = [
  { value: 'none', label: 'No sign-in' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'api-key', label: 'API key' },
  { value: 'basic', label: 'User and password' },
  { value: 'oauth-code', label: 'OAuth on the page of the provider' },
  { value: 'session-token', label: 'Sign-in that answers with a token' },
  { value: 'client-credentials', label: 'OAuth client credentials' },
];

/** What each kind begins with, in addition to its name. */
const BEGINNINGS: Readonly<Record<string, Record<string, unknown>>> = {
  'api-key': { in: 'header', name: 'X-Api-Key' },
  basic: { user: 'user' },
  'session-token': { user: 'user', path: '/login', token: 'token' },
  'client-credentials': { user: 'client', tokenUrl: 'https://' },
  'oauth-code': { authorizationUrl: 'https://', tokenUrl: 'https://' },
};

/** Labels of the secret and of the field with the user. */
const SECRETS: Readonly<Record<string, string>> = {
  'api-key': 'API key',
  basic: 'Password',
  'session-token': 'Password',
  'client-credentials': 'Client secret',
};

/** Returns the members of a kind of authentication. */
export function authenticationOf(kind: string): Record<string, unknown> {
  return { kind, ...BEGINNINGS[kind] };
}

/** Returns a connect form that has what a kind of authentication needs. */
export function connectOf(connect: Record<string, unknown>, kind: string): Record<string, unknown> {
  const { secret, ...rest } = connect;
  if (kind === 'none') return rest;
  // The page of the provider asks for everything.
  if (kind === 'oauth-code') return { ...rest, fields: undefined };
  const fields = Array.isArray(rest.fields) ? rest.fields : [];
  const user = textAt(BEGINNINGS[kind], ['user']);
  const hasUser = fields.some((field) => textAt(field, ['name']) === user);
  const label = user === 'client' ? 'Client id' : 'User name';
  return {
    ...rest,
    ...(user !== '' && !hasUser && { fields: [{ name: user, label }, ...fields] }),
    secret: secret ?? { name: 'token', label: SECRETS[kind] ?? 'API token' },
  };
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

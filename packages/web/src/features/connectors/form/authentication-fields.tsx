import { listAt, membersAt, type Path, textAt, valueAt } from '../document/document-text.ts';
import { findMentions } from '../document/rename.ts';
import { useDocumentForm } from './form-context.ts';
import { ItemRows } from './rows.tsx';
import { ChoiceValue, TextValue, WordsValue } from './values.tsx';

/** The kinds of authentication. */
export const AUTHENTICATION_KINDS = [
  { value: 'none', label: 'No sign-in' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'api-key', label: 'API key' },
  { value: 'basic', label: 'Basic: user and password' },
  { value: 'oauth-code', label: 'OAuth on the page of the provider' },
  { value: 'session-token', label: 'Sign-in that answers with a token' },
  { value: 'client-credentials', label: 'OAuth client credentials' },
  { value: 'refresh-token', label: 'OAuth refresh token' },
];

/** What each kind begins with, in addition to its name. */
const INITIAL_MEMBERS: Readonly<Record<string, Record<string, unknown>>> = {
  'api-key': { in: 'header', name: 'X-Api-Key' },
  basic: { user: 'user' },
  'session-token': { user: 'user', path: '/login', token: 'token' },
  'client-credentials': { user: 'client', tokenUrl: 'https://' },
  'refresh-token': { tokenUrl: 'https://', client: 'client', clientSecret: 'clientSecret' },
  'oauth-code': { authorizationUrl: 'https://', tokenUrl: 'https://' },
};

/** Labels of the secret and of the field with the user. */
const SECRET_LABELS: Readonly<Record<string, string>> = {
  'api-key': 'API key',
  basic: 'Password',
  'session-token': 'Password',
  'client-credentials': 'Client secret',
  'refresh-token': 'Refresh token',
};

/** Labels of the fields that a kind begins with, by their names. */
const NEW_LABELS: Readonly<Record<string, string>> = { client: 'Client id', clientSecret: 'Client secret' };

/** Returns the names in the holes of a text. */
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

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
  const needed = [
    textAt(authentication, ['user']),
    textAt(authentication, ['client']),
    textAt(authentication, ['clientSecret']),
  ];
  const left = [textAt(document, [AT, 'user']), textAt(document, [AT, 'client'])];
  // The field with the user or the client goes with its kind, unless requests read it.
  const isLeft = (name: string) =>
    name !== '' &&
    left.includes(name) &&
    !needed.includes(name) &&
    findMentions(document, [], `config.${name}`).length === 0;
  const keys = ['others', 'keys'].flatMap((member) => listAt(authentication, [member]));
  const parts = listAt(authentication, ['tokenParts']);
  const texts = [['value'], ['userText']].map((at) => textAt(authentication, at));
  const named = [
    ...needed,
    ...keys.map((key) => textAt(key, ['field'])),
    ...[...texts, ...parts.map((part) => textAt(part, ['value']))].flatMap(namesIn),
  ].filter((name) => name !== '');
  // Nothing but an authentication uses a field that is secret.
  const isUnused = (field: unknown) => membersAt(field, []).hidden === true && !named.includes(nameOf(field));
  const now = listAt({ fields }, ['fields']).filter((field) => !isLeft(nameOf(field)) && !isUnused(field));
  const all = withFormerFields(
    now,
    listAt(former, ['connect', 'fields']).filter((field) => !isUnused(field)),
  );
  const lacking = needed.filter((name) => name !== '' && all.every((field) => nameOf(field) !== name));
  const shown = [
    ...lacking.map((name) => ({
      ...{ name, label: NEW_LABELS[name] ?? 'User name' },
      ...(name === 'clientSecret' && { hidden: true }),
    })),
    ...all,
  ];
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

/** Where a key is sent. */
function KeyValues({ path }: { path: Path }) {
  return (
    <>
      <ChoiceValue
        path={[...path, 'in']}
        label="Sent in"
        options={[
          { value: 'header', label: 'A header' },
          { value: 'query', label: 'A query parameter' },
        ]}
      />
      <TextValue path={[...path, 'name']} label="Name" required isCode />
      <TextValue path={[...path, 'prefix']} label="Text before the key" isCode placeholder="Token " />
    </>
  );
}

/** The fields of the chosen kind of authentication. */
export function AuthenticationFields() {
  const { document } = useDocumentForm();
  const kind = textAt(document, [AT, 'kind']);
  const user = (
    <TextValue
      path={[AT, 'user']}
      label={kind === 'client-credentials' ? 'Field with the client id' : 'Field with the user'}
      required={kind === 'client-credentials'}
      isCode
      hint="The name of a field below."
    />
  );
  switch (kind) {
    case 'basic':
      return (
        <>
          <TextValue
            path={[AT, 'user']}
            label="Field with the user"
            isCode
            hint="The name of a field below. Without one, the secret is the user."
          />
          {textAt(document, [AT, 'user']) === '' && (
            <TextValue
              path={[AT, 'password']}
              label="Fixed password"
              isCode
              hint="For services that expect a certain text there. It is no secret."
            />
          )}
        </>
      );
    case 'api-key':
      return (
        <>
          <KeyValues path={[AT]} />
          <div className="col-span-full min-w-0">
            <ItemRows
              path={[AT, 'others']}
              title="Further keys"
              hint="Each is the value of a field below that is a secret."
              label="Key"
              newItem={{ in: 'header', name: 'X-App-Key', field: 'appKey' }}
              nameOf={(item) => textAt(item, ['name'])}
            >
              {(at) => (
                <>
                  <KeyValues path={at} />
                  <TextValue path={[...at, 'field']} label="Field with the key" required isCode />
                </>
              )}
            </ItemRows>
          </div>
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
    case 'refresh-token':
      return (
        <>
          <TextValue
            path={[AT, 'client']}
            label="Field with the client id"
            required
            isCode
            hint="The name of a field below."
          />
          <TextValue
            path={[AT, 'clientSecret']}
            label="Field with the client secret"
            isCode
            hint="The name of a field below that is a secret. Empty for clients without one."
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
          <TextValue path={[AT, 'path']} label="Path of the sign-in" isCode placeholder="/login" />
          <TextValue
            path={[AT, 'tokenUrl']}
            label="Address of the sign-in"
            isCode
            placeholder="https://login.example.com/token"
            hint="In place of a path, where another host signs people in."
          />
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

import type { z } from 'zod';

/** Examples of texts with a pattern, by the last name of their path. */
const EXAMPLES: Readonly<Record<string, string>> = {
  key: 'small letters, digits and hyphens, beginning with a letter, at most 31 characters, such as help-desk',
  id: 'small letters, digits and hyphens, beginning with a letter, at most 31 characters, such as help-desk-tickets',
  parent: 'the id of another entity, such as help-desk-projects',
  baseUrl: 'an https address such as https://api.example.com/v1 or https://{config.site}.example.com/api',
  tokenUrl: 'an address such as https://login.example.com/oauth/token',
  authorizationUrl: 'an address such as https://login.example.com/oauth/authorize',
  issuer: 'an address such as https://login.example.com',
  token: 'a field of the answer, such as access_token or data.token',
  scopes: 'a scope without spaces, such as tickets.read',
  path: 'a path that begins with a slash, such as /items',
  url: 'an https address such as https://example.com/docs',
  mark: 'the path data of an SVG, such as M2 2h20v20z',
  prefix: 'letters, digits and signs of ASCII, such as “Token ”',
  user: 'the name of a field of the form, such as user',
  titleColumn: 'the name of a column, such as title',
  sortedBy: 'the name of a column, such as updated_at',
  column: 'the name of a column, such as updated_at',
  by: 'the name of a column, such as state',
  person: 'the name of a column, such as author',
  labels: 'the name of a column, such as labels',
  body: 'a field of the record, such as description or content.text',
  address: 'a field of the record, such as web_url',
  field: 'a field of the record, such as author.name',
};
/** Examples of names of members, by the name of the object that has them; arrays of columns have such names, too. */
const NAME_EXAMPLES: Readonly<Record<string, string>> = {
  columns: 'small letters, digits and underscores, beginning with a letter, such as created_at',
  headers: 'small letters, digits, hyphens and underscores, such as x-api-version',
  query: 'the name of a query parameter, such as per_page',
  parameters: 'the name of a parameter, such as prompt',
  add: 'letters and digits, beginning with a small letter, such as projectName',
};
const FIELD_NAME =
  'letters and digits, beginning with a small letter, at most 31 characters, such as project';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object { … }',
  record: 'an object { … }',
  array: 'a list [ … ]',
};

type Issue = z.core.$ZodIssue;

const quoted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<PropertyKey, unknown>)[name]
        : undefined,
    root,
  );
}

/** Returns what a text must be like. */
function exampleAt(path: readonly PropertyKey[]): string {
  const names = path.filter((name) => typeof name === 'string');
  const last = names.at(-1) ?? '';
  if (typeof path.at(-1) === 'number') return NAME_EXAMPLES[last] ?? EXAMPLES[last] ?? FIELD_NAME;
  if (last === 'name')
    return names.at(-2) === 'authentication'
      ? 'the name of a header or query parameter, such as X-Api-Key'
      : FIELD_NAME;
  return EXAMPLES[last] ?? 'another text';
}

function sizeMessage({
  origin,
  maximum,
  minimum,
}: {
  origin: string;
  maximum?: number | bigint;
  minimum?: number | bigint;
}): string {
  const limit = Number(maximum ?? minimum).toLocaleString('en');
  const bound = maximum === undefined ? 'at least' : 'at most';
  if (origin === 'string')
    return limit === '1' && maximum === undefined
      ? 'It is empty: enter a text.'
      : `It has ${bound} ${limit} characters.`;
  if (origin === 'array')
    return limit === '1' && maximum === undefined
      ? 'The list is empty: add an entry.'
      : `The list has ${bound} ${limit} entries.`;
  return `It is ${bound} ${limit}.`;
}

/** Returns the fault of the name of a member, e.g. of a column. */
function nameMessage(path: readonly PropertyKey[], issues: readonly Issue[]): string {
  const [issue] = issues;
  const group = path.filter((name) => typeof name === 'string').at(-2) ?? '';
  if (issue?.code === 'custom') return `${issue.message}.`;
  if (issue?.code === 'too_big') return `The name has at most ${Number(issue.maximum)} characters.`;
  return `The name must be ${NAME_EXAMPLES[group] ?? FIELD_NAME}.`;
}

/** Returns a sentence for one fault that the schema found. */
function messageOf(issue: Issue, root: unknown): string {
  const { path } = issue;
  const isMissing = valueAt(root, path) === undefined && path.length > 0;
  switch (issue.code) {
    case 'invalid_type':
      return isMissing
        ? `It is missing: enter ${TYPES[issue.expected] ?? 'a value'}.`
        : `It must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `${isMissing ? 'It is missing' : 'It has another value'}: choose ${issue.values.length > 1 ? 'one of ' : ''}${quoted(issue.values)}.`;
    case 'invalid_union': {
      const { options } = issue as { options?: readonly unknown[] };
      if (options === undefined) return 'It must be a text, a number, or true or false.';
      return `${isMissing ? 'It is missing' : 'There is no such kind'}: choose one of ${quoted(options)}.`;
    }
    case 'too_big':
      return sizeMessage({ origin: issue.origin, maximum: issue.maximum });
    case 'too_small':
      return sizeMessage({ origin: issue.origin, minimum: issue.minimum });
    case 'invalid_format':
      return `It must be ${exampleAt(path)}.`;
    case 'invalid_key':
      return nameMessage(path, issue.issues);
    case 'custom':
      return issue.message === 'Invalid input' ? 'There are too many entries.' : `${issue.message}.`;
    default:
      return 'It has another form.';
  }
}

/** Returns the faults that the schema found in a value, as sentences by path. */
export function schemaProblems({ issues }: z.ZodError, root: unknown): { path: string; message: string }[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path, message: messageOf(issue, root) }];
    return issue.keys.slice(0, 20).map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      message: 'There is no such member. Check its name and where it is.',
    }));
  });
}

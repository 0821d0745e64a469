import { type Code, call, code, operand, stepOf } from './code.ts';
import { constantText, METHODS } from './methods.ts';
import { joined } from './operators.ts';
import { UntranslatableError } from './untranslatable-error.ts';
import { type Arguments, printable, textOf } from './values.ts';

type Filter = (value: Code, given: Arguments) => Code;

const method =
  (name: string): Filter =>
  (value, given) =>
    (METHODS[name] as NonNullable<(typeof METHODS)[string]>)(textOf(value), given);

/** Returns a regular expression as a literal of JSONata. @throws UntranslatableError for what JSONata has not */
function regexOf(value: Code | undefined): string {
  const pattern = constantText(value, 'a pattern');
  if (
    /\(\?[^:]|\\[AZbB1-9]|\\$/.test(pattern) &&
    !/^\(\?:/.test(pattern) &&
    /\(\?[^:]|\\[AZ1-9]/.test(pattern)
  )
    throw new UntranslatableError(`the pattern ${pattern}`);
  return `/${pattern.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))}/`;
}

/** Names of hashes that Python and `$hash` share. */
const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

const size: Filter = (value) =>
  call(
    value.type === 'text'
      ? `$length(${value.source})`
      : value.type === 'list'
        ? `$count(${value.source})`
        : `$size(${value.source})`,
    'number',
  );

/** The filters that can be translated, by name. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  int: ({ source }, { given, named }) => {
    if (given.length + named.size > 0) throw new UntranslatableError('a number with a default');
    return call(`$int(${source})`, 'number');
  },
  float: ({ source }) => call(`$float(${source})`, 'float'),
  length: size,
  count: size,
  string: (value) =>
    value.type === 'text'
      ? value
      : call(`($type(${value.source}) = "string" ? ${value.source} : $json(${value.source}))`, 'text'),
  lower: (value) => call(`$lowercase(${textOf(value).source})`, 'text'),
  upper: (value) => call(`$uppercase(${textOf(value).source})`, 'text'),
  trim: method('strip'),
  replace: method('replace'),
  join: (list, { given }) => {
    const separator = JSON.stringify(given[0] ? constantText(given[0], 'a separator') : '');
    const texts = list.items?.map((item) => operand(textOf(item)));
    if (texts && texts.length > 0) return code(texts.join(` & ${separator} & `), 'text');
    return call(`$join($map(${list.source}, function($i){ $str($i) }), ${separator})`, 'text');
  },
  default: (value, { given, named }) => {
    const [otherwise, flag] = given;
    const isTruth = (flag ?? named.get('boolean'))?.constant === true;
    if (!otherwise) return { ...call(`(${value.source} ?? "")`, 'any') };
    return isTruth
      ? joined('or', value, otherwise)
      : { source: `(${value.source} ?? ${operand(printable(otherwise))})`, type: 'any', isSimple: true };
  },
  list: (value) => (value.type === 'list' ? value : call(`$slice(${value.source}, 0, 1000000)`, 'any')),
  first: (value) => call(`$index(${value.source}, 0)`, 'any'),
  last: (value) => call(`$index(${value.source}, -1)`, 'any'),
  unique: ({ source }) => call(`[$distinct(${source})]`, 'list'),
  map: ({ source }, { named }) => {
    const attribute = constantText(named.get('attribute'), 'an attribute');
    const path = attribute.split('.').map(stepOf).join('.');
    return call(`[$map(${source}, function($i){ $exists($i.${path}) ? $i.${path} : "" })]`, 'list');
  },
  selectattr: ({ source }, { given }) => {
    const [attribute, test, value] = given;
    const path = constantText(attribute, 'an attribute').split('.').map(stepOf).join('.');
    const isEqual = test && ['equalto', 'eq', '=='].includes(constantText(test, 'a test'));
    if (!isEqual || !value) throw new UntranslatableError('the filter selectattr with this test');
    return call(`[$filter(${source}, function($i){ $i.${path} = ${operand(value)} })]`, 'list');
  },
  hash: (value, { given, named }) => {
    const [algorithm = named.get('hash_type'), salt = named.get('salt')] = given;
    const name = algorithm === undefined ? 'md5' : constantText(algorithm, 'the name of a hash');
    if (!HASHES.includes(name)) throw new UntranslatableError(`the hash ${name}`);
    const salted = salt ? `${operand(textOf(value))} & ${operand(textOf(salt))}` : textOf(value).source;
    return call(`$hash(${salted}, ${JSON.stringify(name)})`, 'text');
  },
  urlencode: (value) => call(`$quote(${textOf(value).source})`, 'text'),
  base64encode: ({ source }) => call(`$base64encode($bytes(${source}))`, 'text'),
  base64decode: ({ source }) => call(`$base64decode(${source})`, 'text'),
  regex_search: ({ source }, { given }) =>
    call(`($match(${source}, ${regexOf(given[0])}, 1)[0].groups[0] ?? "")`, 'text'),
  regex_replace: ({ source }, { given }) => {
    const [pattern, replacement] = given;
    const text = constantText(replacement, 'a replacement')
      .replace(/\$/g, '$$$$')
      .replace(/\\(\d)/g, '$$$1');
    return call(`$replace(${source}, ${regexOf(pattern)}, ${JSON.stringify(text)})`, 'text');
  },
};

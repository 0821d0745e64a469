/** Words of a parameter's name that say it proves an identity. */
const SECRET_WORDS = new Set(
  (
    'token jwt secret password passwd passphrase passcode pass pwd pw signature sig sign hmac session sessionid sess sid ' +
    'ssid jsessionid phpsessid apikey appkey accesskey secretkey authkey apitoken accesstoken authtoken auth authorization ' +
    'authentication bearer credential credentials creds otp totp pin ticket hash sas cookie csrf xsrf key code'
  ).split(' '),
);
/** Words that mean a key or code of something else, if one of these two is the only such word: `sort_key`, `country_code`. */
const HARMLESS_WORDS = new Set(
  (
    'sort order primary foreign project issue group partition row cache country currency language lang zip postal postcode ' +
    'area status error product item color state region locale tag by field column object parent hash range custom natural type unit'
  ).split(' '),
);
/** Words of tokens that lead to a page; they prove nothing. */
const PAGE_WORDS = new Set(
  'page next previous prev continuation continue sync cursor scroll delta skip resume start pagination change'.split(
    ' ',
  ),
);
/** Shortest value that is judged by its characters. */
const MIN_RANDOM = 20;

/** Returns the words of a name: `accessToken`, `access_token` and `X-Access-Token` have `access` and `token`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Returns the bits that a character of a text has on average, by how often each one is in it. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}

/** Returns whether a text looks as if it was made by chance, as tokens are: no words, dates, addresses, or ids with hyphens. */
function isRandom(value: string): boolean {
  if (value.length < MIN_RANDOM || !/^[\w.~+/=:-]+$/.test(value)) return false;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) || /^\d{4}-\d\d-\d\d/.test(value))
    return false;
  if (/^[0-9a-f]+$/i.test(value)) return value.length >= 32 && /[a-f]/i.test(value) && /\d/.test(value);
  // Words have few changes between letters, digits and cases.
  const changes = value.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= value.length / 10 && entropyOf(value) >= 3.5;
}

/** Returns whether a name says that its value proves an identity. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => PAGE_WORDS.has(word))) return false;
  const secret = words.filter(
    (word) => SECRET_WORDS.has(word) || /(?:token|secret|password|apikey)$/.test(word),
  );
  const isHarmless = words.some((word) => HARMLESS_WORDS.has(word));
  return secret.length > 0 && !(isHarmless && secret.every((word) => ['key', 'code', 'hash'].includes(word)));
}

/** Returns whether a parameter of an address proves an identity, by its name or by its value. */
export function isSecretParameter(name: string, value: string): boolean {
  if (wordsOf(name).some((word) => PAGE_WORDS.has(word) || word === 'after' || word === 'before'))
    return false;
  return isSecretName(name) || isRandom(value);
}

/** White space, line ends and other characters beyond Latin that parts of patterns take or leave out. */
const SAMPLES = [
  ...[0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
  ...[0x100, 0x4e2d, 0x10348],
];
/** Planes of characters that have properties, `\p{…}`: first and last of each range. */
const PLANES = [
  [0, 0x323af],
  [0xe0000, 0xe01ef],
] as const;

/** Returns the characters that a pattern names: as themselves, or by their codes. */
function namedCharacters(source: string): number[] {
  const codes = source.matchAll(
    /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi,
  );
  const escaped = [...codes].map(([, high = '', low = '', ...others]) =>
    high === ''
      ? Number.parseInt(others.find((one) => one !== undefined) ?? '', 16)
      : 0x10000 + (Number.parseInt(high, 16) - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00,
  );
  return [...escaped, ...[...source].map((character) => character.codePointAt(0) ?? 0)];
}

/**
 * Returns characters of each kind that the parts of a pattern tell apart: those that it names with their neighbours, those of
 * Latin, and white space; all that have properties where it names one.
 */
export function samplesOf(source: string): string[] {
  const named = namedCharacters(source).flatMap((code) => [code - 1, code, code + 1]);
  const codes = new Set([...Array.from({ length: 256 }, (_, code) => code), ...SAMPLES, ...named]);
  if (/\\p/i.test(source))
    for (const [first, last] of PLANES) for (let code = first; code <= last; code++) codes.add(code);
  return [...codes].filter((code) => code >= 0 && code <= 0x10ffff).map((code) => String.fromCodePoint(code));
}

import { JsonataError } from '../runtime/errors.ts';
import { type Builtin, unlessMissing } from './builtin.ts';

/** Encodes the low byte of each UTF-16 unit, like Node's `binary` encoding. */
function toBase64(text: string): string {
  return btoa(text.replace(/[^\0-\xff]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) & 0xff)));
}

/** Decodes leniently: accepts the URL alphabet, skips other characters, stops at the padding. */
function fromBase64(text: string): string {
  const digits = (text.split('=')[0] ?? '')
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
}

/** Makes a built-in function of the URL family. Its failure is D3140. */
function urlFunction(name: string, summary: string, convert: (text: string) => string): Builtin {
  return {
    name,
    signature: '<s-:s>',
    summary,
    arity: 1,
    body: unlessMissing<string>((text) => {
      try {
        return convert(text);
      } catch {
        const message = `Malformed URL passed to $${name}(): ${JSON.stringify(text)}`;
        throw new JsonataError('D3140', { value: text, functionName: name, message });
      }
    }),
  };
}

export const encoding: readonly Builtin[] = [
  {
    name: 'base64encode',
    signature: '<s-:s>',
    summary: 'Encodes the bytes of a string as Base64.',
    arity: 1,
    body: unlessMissing<string>((text) => toBase64(text)),
  },
  {
    name: 'base64decode',
    signature: '<s-:s>',
    summary: 'Decodes Base64 to a string of bytes.',
    arity: 1,
    body: unlessMissing<string>((text) => fromBase64(text)),
  },
  urlFunction('encodeUrlComponent', 'Escapes a string as one component of a URL.', encodeURIComponent),
  urlFunction('encodeUrl', 'Escapes a string as a whole URL.', encodeURI),
  urlFunction('decodeUrlComponent', 'Decodes the escapes of a URL component.', decodeURIComponent),
  urlFunction('decodeUrl', 'Decodes the escapes of a whole URL.', decodeURI),
];

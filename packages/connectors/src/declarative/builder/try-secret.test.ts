import { describe, expect, it } from 'vitest';
import { ENCODINGS } from '../../../test-support/declarative/encodings.ts';
import { ASCII_SECRET, tryAgainst } from '../../../test-support/declarative/try-against.ts';
import { SecretHider } from './hide-secret.ts';

/** Returns the pieces of an encoded secret that nothing may show: a half of it is one. */
const revealing = (encoded: string) =>
  encoded.slice(Math.ceil(encoded.length / 4), Math.floor((encoded.length * 3) / 4));

describe('the secret of a trial', () => {
  for (const secret of [ASCII_SECRET, 'p%40ss word/&<>"tail'])
    it.each(ENCODINGS)(`is hidden %s wherever it is repeated (${secret})`, async (_, encode) => {
      const echo = encode(secret);
      const jsonEcho =
        /[\\"]/.test(echo) && !/\\u|\\\//.test(echo) ? JSON.stringify(echo).slice(1, -1) : echo;
      for (const status of [200, 401]) {
        const trial = await tryAgainst(
          (_request, response) => {
            response.writeHead(status, {
              'content-type': `text/plain; a=${echo.replace(/[^\x20-\x7e]/g, '')}`,
              'x-total': '2',
            });
            response.end(
              `{"items":[{"id":"${jsonEcho}","title":"is ${jsonEcho}!","created":"${jsonEcho}","updated":"${jsonEcho}","n":1,"${jsonEcho}":1},{"id":2,"title":"b"}],"next":"/api/v1/projects/work/items?token=${encodeURIComponent(echo)}&page=2"}`,
            );
          },
          { secret, shape: { pagination: 'address' } },
        );
        const text = JSON.stringify(trial);
        for (const one of [
          secret,
          JSON.stringify(secret).slice(1, -1),
          echo,
          JSON.stringify(echo).slice(1, -1),
        ])
          expect(text).not.toContain(revealing(one));
      }
    });

  it.each(['bearer', 'key-in-header', 'key-in-query', 'basic'] as const)(
    'is shown as dots in a request by %s',
    async (authentication) => {
      const { result } = await tryAgainst((_, response) => response.end('{"items":[]}'), {
        shape: { authentication },
      });
      expect(JSON.stringify(result.request)).toContain('•••');
      expect(JSON.stringify(result)).not.toContain(ASCII_SECRET);
      expect(JSON.stringify(result)).not.toContain(Buffer.from(`ada:${ASCII_SECRET}`).toString('base64'));
    },
  );

  it('is hidden in documents that repeat it', async () => {
    const { result } = await tryAgainst((_, response) => response.end('{"items":[]}'), {
      changes: {
        request: {
          path: '/items',
          query: { a: JSON.stringify(ASCII_SECRET) },
          headers: { 'x-b': JSON.stringify(ASCII_SECRET) },
        },
      },
    });
    expect(decodeURIComponent(JSON.stringify(result))).not.toContain(ASCII_SECRET);
  });

  it('leaves texts without it as they are', () => {
    const hider = new SecretHider(['tök/en+"42" & <x>', '']);
    const text = '{"a":"\\u00e4 100 % &amp; b","c":"dG9rZW4="}';
    expect(hider.hide(text)).toBe(text);
    expect(hider.hide('a tök/en+"42" & <x> b')).toBe('a ••• b');
  });
});

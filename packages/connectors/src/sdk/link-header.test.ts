import { describe, expect, it } from 'vitest';
import { linkTo } from './link-header.ts';

describe('linkTo', () => {
  it.each([
    ['<https://x/?page=2>; rel="next", <https://x/?page=3>; rel="last"', 'as GitHub writes it'],
    ['<https://x/?page=2>; rel=next, <https://x/?page=3>; rel=last', 'without quotes'],
    ['<https://x/?page=2> ; rel = "next" ,<https://x/?page=3>;REL="LAST"', 'spaces and capitals'],
    ['<https://x/?page=2>;title="a";rel="next",<https://x/?page=3>; rel="last"; type=a', 'other parameters'],
    ['<https://x/?page=3>; rel="end  last", <https://x/?page=2>; rel="next prefetch"', 'several relations'],
    [
      '<https://x/?page=9>; title="; rel=next, <y>; rel=\\"last\\""; rel=up, <https://x/?page=2>; rel=next, <https://x/?page=3>; rel=last',
      'relations that are only text',
    ],
    [
      '<https://x/?page=2>; rel=next; rel=last, <https://x/?page=3>; flag; rel=last',
      'two rel parameters, of which the first counts',
    ],
    ['<https://x/?a=1,2&page=2>; rel=next, <https://x/?page=3>; rel=last', 'a comma in a URL'],
  ])('finds the relations in %s (%s)', (header) => {
    expect(linkTo(header, 'next')).toMatch(/page=2$/);
    expect(linkTo(header, 'last')).toBe('https://x/?page=3');
    expect(linkTo(header, 'first')).toBeUndefined();
  });

  it.each([null, '', 'next', '<https://x/?page=2', '<https://x/>; rel', '<https://x/>; title="rel=next"'])(
    'finds no next relation in %s',
    (header) => {
      expect(linkTo(header, 'next')).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { ManifestError, readManifest } from './read-manifest.ts';

/** Returns the streams of a manifest. */
const streamsOf = (text: string) =>
  readManifest(text).root.streams as Record<string, Record<string, unknown>>[];

const REFERENCES = `
definitions:
  requester: { type: HttpRequester, url_base: "https://api.books.test", path: "/{{ parameters.path }}" }
  base:
    type: DeclarativeStream
    retriever:
      type: SimpleRetriever
      requester: { $ref: "#/definitions/requester" }
streams:
  - $ref: "#/definitions/base"
    name: books
    $parameters: { path: books, primary_key: id }
  - "#/definitions/base"
`;

describe('the references and parameters of a manifest', () => {
  it('are replaced, and members beside a reference stay', () => {
    const [books, other] = streamsOf(REFERENCES);
    expect(books?.name).toBe('books');
    expect(books?.retriever?.requester).toMatchObject({ url_base: 'https://api.books.test' });
    expect(other?.retriever?.requester).toMatchObject({ url_base: 'https://api.books.test' });
  });

  it('reach the components within, as members that they lack', () => {
    const [books, other] = streamsOf(REFERENCES);
    expect(books).toMatchObject({ primary_key: 'id', path: 'books' });
    expect(books?.retriever?.requester).toMatchObject({
      path: '/{{ parameters.path }}',
      primary_key: 'id',
      $parameters: { path: 'books' },
    });
    expect(other?.retriever?.requester).not.toHaveProperty('$parameters');
  });

  it('give way to those of the component itself', () => {
    const [books] = streamsOf(`
streams:
  - type: DeclarativeStream
    $parameters: { path: outer, name: outer }
    retriever: { type: SimpleRetriever, $parameters: { path: inner } }
`);
    expect(books?.retriever).toMatchObject({ path: 'inner', name: 'outer' });
  });

  it('keep the lines of streams', () => {
    const { root, lines } = readManifest(REFERENCES.replace('  - "#/definitions/base"\n', ''));
    const [books] = root.streams as object[];
    expect(lines.get(books as object)).toBeGreaterThan(1);
  });
});

describe('a hostile manifest', () => {
  const bomb = (levels: number) =>
    ['a: &a0 [x, x]', ...Array.from({ length: levels }, (_, n) => `b${n}: &a${n + 1} [*a${n}, *a${n}]`)].join(
      '\n',
    );
  const references = (levels: number) =>
    [
      'd0: { a: x, b: x }',
      ...Array.from(
        { length: levels },
        (_, n) => `d${n + 1}: { a: { $ref: "#/d${n}" }, b: { $ref: "#/d${n}" } }`,
      ),
    ].join('\n');

  it.each<[string, string, RegExp]>([
    ['more than 2 MB', `a: ${'x'.repeat(2_000_000)}`, /longer than 2 MB/],
    ['a list', '- a', /no mapping/],
    ['a text that is no YAML', 'a: [', /not YAML/],
    ['a reference to itself', 'a: { $ref: "#/a" }', /leads to itself/],
    ['a circle of references', 'a: { $ref: "#/b" }\nb: { $ref: "#/a" }', /leads to itself/],
    ['a reference to nothing', 'a: { $ref: "#/b/c" }', /names nothing/],
    ['a reference to an inherited member', 'a: { $ref: "#/constructor" }', /names nothing/],
    ['an alias of its own list', 'a: &a [*a]', /nested too deeply/],
    ['deep lists', `a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`, /nested too deeply|not YAML/],
    ['aliases that grow', bomb(40), /too many references/],
    ['references that grow', references(40), /too many references/],
  ])('is refused: %s', (_, text, message) => {
    expect(() => readManifest(text)).toThrowError(
      expect.objectContaining({
        name: ManifestError.name,
        message: expect.stringMatching(message),
      }),
    );
  });

  it('changes no prototype', () => {
    const { root } = readManifest('__proto__: { polluted: true }\na: { __proto__: { polluted: true } }');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect((root as { polluted?: unknown }).polluted).toBeUndefined();
    expect((root.a as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([
    ['a block', 'b:\n  <<: *a\n  x: 3'],
    ['a flow', 'b: { <<: *a, x: 3 }'],
    ['a flow with the key before', 'b: { x: 3, <<: *a }'],
    ['a list', 'b: { <<: [*c, *a], x: 3 }'],
    ['an empty value', 'b: { x: 3, y: 2, z: null, <<: *c }'],
  ])('merges mappings into %s', (_, text) => {
    const { root } = readManifest(`a: &a { x: 1, y: 2 }\nc: &c { z: null }\n${text}\n`);
    const merged = text.includes('z: null') || text.includes('*c') ? { x: 3, y: 2, z: null } : { x: 3, y: 2 };
    expect(root.b).toEqual(merged);
  });
});

import { describe, expect, it } from 'vitest';
import { documentCompletions } from './completion.ts';

/** Returns the labels that are offered at the bar. */
function offered(text: string): string[] {
  const at = text.indexOf('|');
  return (documentCompletions(text.replace('|', ''), at)?.items ?? []).map(({ label }) => label);
}

/** Returns the text after the completion with a label. */
function completed(text: string, label: string): string | undefined {
  const at = text.indexOf('|');
  const plain = text.replace('|', '');
  const found = documentCompletions(plain, at);
  const item = found?.items.find((one) => one.label === label);
  return found && item && plain.slice(0, found.from) + item.text + plain.slice(found.to);
}

describe('documentCompletions', () => {
  it('offers the members of the document that are not there yet', () => {
    const labels = offered('{ "version": 1, "key": "a", | }');
    expect(labels).toContain('baseUrl');
    expect(labels).not.toContain('key');
  });

  it('offers the members of a union by its kind', () => {
    expect(offered('{ "entities": [{ "pagination": { "kind": "none", | } }] }')).toEqual([]);
    expect(offered('{ "authentication": { "kind": "api-key", | } }')).toEqual([
      'in',
      'name',
      'prefix',
      'value',
      'others',
    ]);
    expect(offered('{ "entities": [{ "pagination": { "kind": "page", | } }] }')).toEqual([
      'parameter',
      'in',
      'sendFirst',
      'count',
      'firstOnly',
      'first',
      'size',
      'sizeParameter',
      'end',
    ]);
  });

  it('offers the kinds of a union, the values of a choice, and booleans', () => {
    expect(offered('{ "authentication": { "kind": | } }')).toEqual(
      expect.arrayContaining(['none', 'bearer', 'api-key', 'basic', 'session-token']),
    );
    expect(offered('{ "entities": [{ "columns": { "a": { "type": "t|" } } }] }')).toContain('texts');
    expect(offered('{ "connect": { "fields": [{ "required": | }] } }')).toEqual(['true', 'false']);
  });

  it('offers the columns of the entity', () => {
    const text = '{ "entities": [{ "columns": { "a": {}, "b": {} }, "sortedBy": "|" }] }';
    expect(offered(text)).toEqual(['a', 'b']);
  });

  it('writes a member with the beginning of its value', () => {
    expect(completed('{ "ba| }', 'baseUrl')).toBe('{ "baseUrl": ""');
    expect(completed('{ | }', 'entities')).toBe('{ "entities": [] }');
    expect(completed('{ "conn|": {} }', 'connect')).toBe('{ "connect": {} }');
    expect(completed('{ "authentication": { "kind": "b|" } }', 'bearer')).toBe(
      '{ "authentication": { "kind": "bearer" } }',
    );
  });

  it('offers nothing outside of the document or where nothing is known', () => {
    expect(documentCompletions('|', 0)).toBeUndefined();
    expect(offered('{ "unknown": { | } }')).toEqual([]);
  });
});

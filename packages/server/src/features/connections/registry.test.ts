import { type Connector, defineConnector, type EntityDefinition } from '@datadeck/connectors';
import { describe, expect, it } from 'vitest';
import { ConnectorRegistry } from './registry.ts';

const entity = (id: string): EntityDefinition => ({
  id,
  title: 'Notes',
  description: '',
  dependsOn: [],
  multi: true,
  limits: {
    demo: { cap: 10, monthlyRuns: 50 },
    standard: { cap: 500, monthlyRuns: 50 },
    pro: { cap: 5000, monthlyRuns: 300 },
  },
  settings: [],
  table: { name: id.replaceAll('-', '_'), columns: { title: { type: 'text' } }, title: 'title' },
  templates: [],
  extraction: 1,
  convert: (data) => ({ data, columns: {} }),
  scopeOf: () => 'all',
  read: () => {
    throw new Error('nobody reads');
  },
  estimate: () => Promise.resolve({ total: 0, records: 0, requests: 0, units: 0 }),
  listIds: () => {
    throw new Error('nobody lists');
  },
});

const connector = (key: string, more: Partial<Connector> = {}): Connector =>
  defineConnector({
    key,
    title: key,
    description: '',
    quota: { unitsPerMinute: 1, concurrency: 1 },
    authorization: {
      start: () => Promise.reject(new Error('nobody asks')),
      finish: () => Promise.reject(new Error('nobody asks')),
      refresh: (credentials) => Promise.resolve(credentials),
      revoke: () => Promise.resolve(),
    },
    entities: [entity(`${key}-notes`)],
    ...more,
  });

describe('ConnectorRegistry', () => {
  it('finds a connector and its entities', () => {
    const registry = new ConnectorRegistry([connector('one'), connector('two')]);
    expect(registry.providerOf('two-notes').key).toBe('two');
    expect(registry.entity('one', 'one-notes').id).toBe('one-notes');
    expect(() => registry.entity('one', 'two-notes')).toThrow("The entity 'two-notes'");
  });

  it.each<[defect: string, connectors: Connector[], message: RegExp]>([
    [
      'a key twice',
      [connector('one'), connector('one', { entities: [entity('a')] })],
      /two connectors have the key one/,
    ],
    [
      'an entity twice',
      [connector('one'), connector('two', { entities: [entity('one-notes')] })],
      /the entity one-notes/,
    ],
    ['the key of the demo sign-in', [connector('demo')], /connector demo: its key does not fit/],
    ['a key that is not valid in a URL', [connector('a/b')], /its key does not fit/],
    [
      'an API address without a classification of refusals',
      [connector('one', { apiUrl: 'http://x' })],
      /belong together/,
    ],
    ['no entities', [connector('one', { entities: [] })], /no entities/],
  ])('refuses %s', (_defect, connectors, message) => {
    expect(() => new ConnectorRegistry(connectors)).toThrow(message);
  });
});

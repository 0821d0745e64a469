import { validateSettings } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { MAX_SCOPE_CHOICES, type ScopeChoice, type ScopeDefinition } from '../../src/sdk/scopes.ts';
import type { Stage } from './stage.ts';

/** Largest number of requests of a list, in addition to one for each choice. */
const FEW = 6;

async function listScopes(stage: Stage, scopes: ScopeDefinition, pattern?: string) {
  const { signal } = new AbortController();
  const client = stage.reader.client(signal);
  const choices: ScopeChoice[] = [];
  for await (const batch of scopes.list({ client, signal, ...(pattern === undefined ? {} : { pattern }) })) {
    choices.push(...batch);
    expect(choices.length).toBeLessThanOrEqual(MAX_SCOPE_CHOICES);
  }
  return { choices, requests: client.requests };
}

function groupsOf(choices: readonly ScopeChoice[]): string[] {
  return [...new Set(choices.map(({ group }) => group).filter((group) => group !== ''))];
}

/** Tests the scopes of an entity that has some. */
export function testScopes(stage: Stage): void {
  const scopesOf = () => stage.reader.entity.scopes;

  describe('scopes', () => {
    it('lists each scope once, by a name that its settings have', async ({ skip }) => {
      const scopes = scopesOf();
      if (!scopes) return skip('the entity has no scopes');
      const { settings, scopeOf } = stage.reader.entity;
      const { choices, requests } = await listScopes(stage, scopes);
      const names = choices.map(({ name }) => name);
      expect(new Set(names).size, 'names are unique').toBe(names.length);
      expect(requests).toBeLessThanOrEqual(choices.length + FEW);
      expect(names).toContain(scopes.nameOf(stage.subject.settings));
      for (const name of names) {
        expect(scopes.problemOf(name), name).toBeUndefined();
        expect(scopes.isPattern(name), `${name} is no pattern`).toBe(false);
        const values = scopes.settingsOf(name);
        expect(Object.keys(values).sort()).toEqual([...scopes.settings].sort());
        expect(validateSettings(settings, values), name).toEqual({});
        expect(scopes.nameOf(values)).toBe(name);
      }
      const stored = new Set(names.map((name) => scopeOf(scopes.settingsOf(name))));
      expect(stored.size, 'different names are different scopes').toBe(names.length);
      for (const { title, count, changedAt } of choices) {
        expect(title.trim()).not.toBe('');
        expect(count === null || (Number.isInteger(count) && count >= 0)).toBe(true);
        expect(changedAt === null || new Date(changedAt).toISOString() === changedAt).toBe(true);
      }
    });

    it('lists for a pattern all that it selects, of one group only', async ({ skip }) => {
      const scopes = scopesOf();
      if (!scopes) return skip('the entity has no scopes');
      const { choices } = await listScopes(stage, scopes);
      const patterns = scopes.patterns(groupsOf(choices)).map(({ pattern }) => pattern);
      expect(new Set(patterns).size, 'patterns are unique').toBe(patterns.length);
      for (const pattern of patterns) {
        const listed = (await listScopes(stage, scopes, pattern)).choices;
        const selected = listed.filter((choice) => scopes.selects(pattern, choice));
        const names = selected.map(({ name }) => name);
        const expected = choices.filter((choice) => scopes.selects(pattern, choice));
        expect(names).toEqual(expect.arrayContaining(expected.map(({ name }) => name)));
        expect(groupsOf(selected).length, pattern).toBeLessThanOrEqual(1);
      }
      for (const choice of choices)
        expect(scopes.selects('no pattern of any provider', choice), choice.name).toBe(false);
    });
  });
}

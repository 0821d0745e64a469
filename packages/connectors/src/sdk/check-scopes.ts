import type { EntityDefinition } from './connector.ts';
import { MAX_SCOPE_TEXT, type ScopeDefinition } from './scopes.ts';

/** Texts that are no names at any provider. */
const NEVER = ['', 'a\u0000b', 'a\r\nb', '\ud800', 'x'.repeat(MAX_SCOPE_TEXT + 1)];
/** Texts that would change the address of a request. */
const NO_ADDRESS = [
  'a\u001b/b',
  'a/\u007f',
  'a\tb',
  '../a',
  '../../a',
  './a',
  'a/..',
  'a/../b',
  'a/b?c=d',
  'a/b#c',
  'a/b/c',
  '%2e%2e/a',
  'a\\b',
  'a b',
];

function textProblems({ problemOf }: ScopeDefinition, texts: readonly string[]): string[] {
  return texts
    .filter((text) => !problemOf(text)?.trim())
    .map((text) => `it takes ${JSON.stringify(text.slice(0, 20))} as a name`);
}

function patternProblems({ patterns, isPattern, problemOf }: ScopeDefinition): string[] {
  return patterns(['octo']).flatMap(({ pattern, title }) => {
    if (title.trim() === '') return [`its pattern ${pattern} has no title`];
    return isPattern(pattern) && problemOf(pattern) === undefined
      ? []
      : [`it does not take its own pattern ${pattern}`];
  });
}

/** Returns the faults of an entity's scopes. @param isHttp whether names become parts of addresses */
export function scopeProblems({ scopes, settings }: EntityDefinition, isHttp: boolean): string[] {
  if (!scopes) return [];
  const unnamed = settings.filter(({ required, propKey }) => required && !scopes.settings.includes(propKey));
  return [
    ...([scopes.one, scopes.many].some((word) => word.trim() === '') ? ['it has no word for a scope'] : []),
    ...scopes.settings
      .filter((key) => settings.every(({ propKey }) => propKey !== key))
      .map((key) => `there is no setting ${key}`),
    ...unnamed.map(({ propKey }) => `its names do not say the required setting ${propKey}`),
    ...textProblems(scopes, isHttp ? [...NEVER, ...NO_ADDRESS] : NEVER),
    ...patternProblems(scopes),
  ].map((problem) => `scopes: ${problem}`);
}

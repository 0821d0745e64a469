import { validateSettings } from '@datadeck/contract';
import { expect, it } from 'vitest';
import { declarationProblems } from '../../src/sdk/check-connector.ts';
import type { Connector } from '../../src/sdk/connector.ts';
import type { FailedAnswer } from '../../src/sdk/http-api.ts';
import type { Stage } from './stage.ts';

/** Bodies of error responses, most of them malformed. */
const BODIES = [
  '',
  '<html>Sorry</html>',
  '{}',
  '[]',
  'null',
  '"no"',
  '{"error":null}',
  '{"message":7,"error":{"code":"x"}}',
];
/** Expected classification of HTTP statuses for all providers. */
const MEANINGS: readonly [statuses: number[], kinds: FailedAnswer['kind'][]][] = [
  [[401], ['expired-token', 'fail']],
  [[429], ['retry-later']],
  [
    [408, 500, 502, 503, 504],
    ['retry', 'retry-later'],
  ],
];

/** Checks that every error has a message, and the usual statuses their usual kind. */
function expectClassified(classify: NonNullable<Connector['classify']>): void {
  const statuses = [300, ...Array.from({ length: 200 }, (_, index) => 400 + index)];
  for (const status of statuses) {
    for (const body of BODIES) {
      const outcome = classify({ status, headers: new Headers(), body, now: Date.now() });
      expect(outcome.message.trim(), `status ${status} with ${body || 'nothing'}`).not.toBe('');
      const kinds = MEANINGS.find(([known]) => known.includes(status))?.[1];
      if (kinds) expect(kinds, `status ${status} with ${body || 'nothing'}`).toContain(outcome.kind);
    }
  }
}

/** Tests of a connector's declaration, scopes and classification of errors. */
export function testDeclaration(stage: Stage): void {
  it('has a valid declaration and derives scopes from its settings', () => {
    const { standIn, reader, subject } = stage;
    expect(declarationProblems(standIn.connector)).toEqual([]);
    const { settings, scopeOf } = reader.entity;
    expect(validateSettings(settings, { ...subject.settings })).toEqual({});

    const scope = scopeOf(subject.settings);
    expect(scope).toBeTypeOf('string');
    expect(scopeOf({ ...subject.settings }), 'equal settings are one scope').toBe(scope);
    for (const { propKey } of settings.filter(({ required }) => required)) {
      const other = { ...subject.settings, [propKey]: `${subject.settings[propKey]}x` };
      expect(scopeOf(other), `another ${propKey} is another scope`).not.toBe(scope);
    }
  });

  it('classifies every HTTP error status and body', ({ skip }) => {
    const { classify } = stage.standIn.connector;
    skip(classify === undefined, 'the connector does not use HTTP');
    if (classify) expectClassified(classify);
  });
}

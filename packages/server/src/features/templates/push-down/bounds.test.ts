import { expect, it } from 'vitest';
import { TEST_ENTITY } from '../../../testing/test-entity.ts';
import { pushDown } from './index.ts';

const planOf = (expression: string) => pushDown(expression, {}, TEST_ENTITY);
const many = (count: number, term: (n: number) => string, operator: string) =>
  `$[${Array.from({ length: count }, (_, n) => term(n)).join(operator)}]`;

it.each([
  many(300, (n) => `q${n}=1`, ' or '),
  many(300, (n) => `q${n}=1`, ' and '),
  many(100, (n) => `$contains(title, "${n}")`, ' or '),
  `$[title in [${Array.from({ length: 300 }, (_, n) => `"${n}"`).join(',')}]]`,
  `[${Array.from({ length: 100 }, (_, n) => `$[q${n}=1]`).join(',')}]`,
  `$${'[a.b.c=1]'.repeat(100)}`,
  `$[${'(a=1 or '.repeat(100)}b=1${')'.repeat(100)}]`,
  `$[${'(a=1 or (b=2 and '.repeat(50)}c=1${'))'.repeat(50)}]`,
  `${'-'.repeat(1900)}$[title="open"]`,
  `${'['.repeat(900)}$[title="open"]${']'.repeat(900)}`,
])('leaves an expression of many or deep conditions to the engine: %.60s', (expression) => {
  expect(planOf(expression)).toBeUndefined();
});

it.each(['$[title = "open" and additions > 100]', '$[$contains(title, "x")]'])(
  'asks the database a few conditions: %s',
  (expression) => {
    expect(planOf(expression)).toBeDefined();
  },
);

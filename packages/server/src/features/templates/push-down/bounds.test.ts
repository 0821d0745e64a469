import { expect, it } from 'vitest';
import { newestFirst } from '../definition.ts';
import { pushDown } from './index.ts';

const planOf = (expression: string) => pushDown(expression, {}, { entity: 'gh-pulls', order: newestFirst });
const many = (count: number, term: (n: number) => string, operator: string) =>
  `$[${Array.from({ length: count }, (_, n) => term(n)).join(operator)}]`;

it.each([
  many(300, (n) => `q${n}=1`, ' or '),
  many(300, (n) => `q${n}=1`, ' and '),
  many(100, (n) => `$contains(title, "${n}")`, ' or '),
  `$[number in [${Array.from({ length: 300 }, (_, n) => n).join(',')}]]`,
  `[${Array.from({ length: 100 }, (_, n) => `$[q${n}=1]`).join(',')}]`,
  `$${'[a.b.c=1]'.repeat(100)}`,
  `$[${'(a=1 or '.repeat(100)}b=1${')'.repeat(100)}]`,
  `$[${'(a=1 or (b=2 and '.repeat(50)}c=1${'))'.repeat(50)}]`,
  `${'-'.repeat(1900)}$[state="open"]`,
  `${'['.repeat(900)}$[state="open"]${']'.repeat(900)}`,
])('leaves an expression of many or deep conditions to the engine: %.60s', (expression) => {
  expect(planOf(expression)).toBeUndefined();
});

it.each(['$[state = "open" and additions > 100]', '$[$contains(body, "x")]', '$count($)'])(
  'asks the database a few conditions: %s',
  (expression) => {
    expect(planOf(expression)).toBeDefined();
  },
);

import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './support/workspace.ts';

const ASSETS = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/web/dist/assets');
const PULLS = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
const PAGE_SIZE = 20;

/** Results, nothing, and errors of every kind: syntax, types, functions, limits. */
const EXPRESSIONS = [
  '$',
  'title',
  '$.user.login',
  'labels.name',
  '$[state = "open"].number',
  '$[0].title',
  '$count($)',
  '$sum(number)',
  '$average(number) ~> $round(2)',
  '$^(>created_at)[[0..4]].title',
  '$' + '{user.login: $count($)}',
  '$.{"n": number, "by": user.login, "merged": $exists(merged_at)}',
  '$distinct(labels.name)',
  '$map($, function($p, $i){ $i & ": " & $p.title })',
  '$filter($, function($p){ $p.draft })',
  '$reduce(number, function($x, $y){ $x + $y })',
  '$sort($, function($l, $r){ $l.title > $r.title }).title',
  '$.title ~> $join(", ") ~> $uppercase()',
  '$.($toMillis(created_at) ~> $fromMillis("[D1o] [MNn] [Y]"))',
  '$formatNumber($sum(number), "#,##0.00")',
  '$formatInteger(1999, "I") & $formatBase(255, 16)',
  '$.$match(title, /[A-Z]\\w+/).match',
  '$replace($[0].title, /[aeiou]/, "*")',
  '$split("a1b22c", /[0-9]+/)',
  '$[0] ~> |user|{"login": "x"}, "id"|',
  '$@$p.labels@$l[$l.name = "bug"].{"p": $p.number}',
  '$.labels.%.number',
  '$#$i[$i < 3].{"i": $i, "n": number}',
  '($f := function($n){ $n < 2 ? 1 : $n * $f($n - 1) }; [1..8].$f($))',
  '$eval("1 + 2 * 3")',
  '$string($[0].user)',
  '$keys($[0])',
  '$merge($.{$string(number): title}) ~> $keys() ~> $count()',
  '$spread({"a": 1, "b": [2]})',
  '$zip([1..3], ["a", "b"])',
  '$length("\u{1f600}é") & $substring("\u{1f600}é", 1)',
  'nothing',
  '[]',
  '$[number > 1e9]',
  'function($x){ $x }',
  '$sum(',
  '1 +',
  '$[title =',
  '"unclosed',
  '$sum(title)',
  '$uppercase(5)',
  'title + 1',
  '$number("x")',
  '$nothing()',
  '$[title > 5]',
  '$error("stop " & number[0])',
  '$assert(false, "no")',
  '$match("aa", /(a)\\1/)',
  '[1..1e8]',
  '[1..3e6]',
  '($f := function($x){ 1 + $f($x) }; $f(1))',
  '$pad("x", 5e8)',
  '$toMillis("x", "[Q]")',
  '$formatNumber(1, "0.0.0")',
  '$[number >= $least].number',
  '$count($[$exists(title) and $length(title) > $least])',
  '{"who": $who, "least": $least, "isOpen": $isOpen, "none": $unbound}',
  '$[($isOpen and state = "open") or number = $least].{"n": number, "who": $who}',
  '$toMillis($since)',
  '$least.who',
  '$who > $least',
  '$who + $least',
  '$least()',
  '($least := 7; $[number = $least].number)',
];

/** Variables that every expression sees. */
const PARAMETERS = { who: 'ada', least: 5, isOpen: true, since: '2024-05-31' };

interface Answer {
  /** JSON of the first page of a result, or of the error. */
  text: string;
  count: number | undefined;
}

/** What the built Web Worker of the page answers. */
async function inBrowser(page: Page, rows: unknown[]): Promise<Answer[]> {
  const asset = readdirSync(ASSETS).find((name) => /^jsonata\.worker-.*\.js$/.test(name));
  const evaluations = await page.evaluate(
    async ({ asset, rows, expressions, bindings }) => {
      const worker = new Worker(`/assets/${asset}`, { type: 'module' });
      const next = () =>
        new Promise<Record<string, unknown>>((resolve) =>
          worker.addEventListener('message', ({ data }) => resolve(data), { once: true }),
        );
      await next();
      const all: unknown[] = [];
      for (const [id, expression] of expressions.entries()) {
        const answer = next();
        worker.postMessage({ id, expression, rows, bindings });
        all.push((await answer).evaluation);
      }
      worker.terminate();
      return all;
    },
    { asset, rows, expressions: EXPRESSIONS, bindings: PARAMETERS },
  );
  return evaluations.map((each) => {
    const evaluation = each as {
      ok: boolean;
      result?: unknown;
      failure?: { message: string; position?: number };
    };
    if (!evaluation.ok) return { text: errorText(evaluation.failure), count: undefined };
    const { result } = evaluation;
    const items = Array.isArray(result) ? result : result === undefined ? [] : [result];
    return { text: JSON.stringify(items.slice(0, PAGE_SIZE)), count: items.length };
  });
}

/** The server writes around the engine's sentence where a limit was reached. */
function errorText(failure: { message: string; position?: number | undefined } | undefined): string {
  const message = failure?.message.replace(
    /^The query might be too complex: it was stopped because (.)(.*) Narrow it down.*$/,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  );
  return `${message?.replace(/\.+$/, '')} at ${failure?.position ?? 'nowhere'}`;
}

test('returns the same results and errors in the Web Worker and on the server', async ({
  page,
  openAs,
  workspace,
}) => {
  const { demo } = workspace.users;
  await openAs('demo', '/dashboard/data/query');
  const rows: unknown[] = [];
  for (let number = 1, count = 1; rows.length < count; number++) {
    const answer = await demo.get<{ results: unknown[]; count: number }>(`${PULLS}?page=${number}`);
    rows.push(...answer.results);
    count = answer.count;
  }
  const browser = await inBrowser(page, rows);
  for (const [index, expression] of EXPRESSIONS.entries()) {
    const response = await demo.call('POST', '/api/data/query', {
      entryCollection: 'gh-pulls',
      templateKey: 'pulls-all',
      jsonNataQuery: expression,
      parameters: PARAMETERS,
    });
    const body = (await response.json()) as {
      results: unknown[];
      count: number;
      error?: { message: string; position?: number };
    };
    const server: Answer = response.ok
      ? { text: JSON.stringify(body.results), count: body.count }
      : { text: errorText(body.error), count: undefined };
    expect.soft(browser[index], expression).toEqual(server);
  }
});

/**
 * `npx node scripts/airbyte/compare-expressions.ts FOLDER [--seed N] [--manifests 60] [--python python3]`: draws manifests of Airbyte
 * from a folder by a seed, translates every template that occurs in them to JSONata, and compares what it prints for generated values
 * with what Jinja prints (`expressions.py`; Debian: python3-jinja2, python3-dateutil, python3-isodate). Exits with 1 if one differs.
 * Renderings that Jinja refuses with an error are counted, and not compared.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { stepOf } from '../../packages/connectors/src/declarative/airbyte/jinja/code.ts';
import { translateTemplate } from '../../packages/connectors/src/declarative/airbyte/jinja/translate-template.ts';
import { UntranslatableError } from '../../packages/connectors/src/declarative/airbyte/jinja/untranslatable-error.ts';
import { compileBounded, evaluate } from '../../packages/connectors/src/declarative/expression.ts';
import { drawManifests } from './drawn-manifests.ts';
import { ROOTS, ValueGenerator } from './template-values.ts';

/** Generated values for each template. */
const VALUES = 12;
const NOW = '2026-03-31T12:34:56.789Z';
const MAX_EXAMPLES = 20;

interface Rendering {
  template: string;
  context: Record<string, unknown>;
  now: string;
}
type Answer = { text: string } | { error: string };

/** Adds the templates of a value to a set. */
function collectTemplates(value: unknown, templates: Set<string>): void {
  if (typeof value === 'string') {
    if (/\{\{|\{%/.test(value)) templates.add(value);
  } else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collectTemplates(inner, templates);
}

/** Returns the expression of a template’s text, or why there is none. */
function translated(template: string): { text: string } | { reason: string } {
  try {
    const { text } = translateTemplate(template, ([root = '', ...rest]) =>
      rest.length === 0 && ROOTS.includes(root)
        ? { source: stepOf(root), type: 'any', isSimple: true }
        : undefined,
    );
    return { text };
  } catch (error) {
    if (error instanceof UntranslatableError) return { reason: error.message };
    throw error;
  }
}

function renderInPython(python: string, renderings: readonly Rendering[]): Answer[] {
  const { stdout, stderr, error } = spawnSync(python, [join(import.meta.dirname, 'expressions.py')], {
    input: renderings.map((one) => `${JSON.stringify(one)}\n`).join(''),
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  });
  const answers = (stdout ?? '').split('\n').slice(0, -1);
  if (error || answers.length < renderings.length) {
    console.error(`${python} cannot render the templates. ${error?.message ?? stderr}`);
    process.exit(2);
  }
  return answers.map((line) => JSON.parse(line) as Answer);
}

/** Returns the text that an expression yields; an error of it as a text that no template prints. */
function renderHere(source: string, input: Record<string, unknown>): string {
  try {
    return String(evaluate('the template', compileBounded(source), input) ?? '');
  } catch (error) {
    return `\u0000${String(error)}`;
  }
}

function count(counts: Map<string, string[]>, reason: string, example: string): void {
  counts.set(reason, [...(counts.get(reason) ?? []), example]);
}

function printCounts(title: string, counts: ReadonlyMap<string, readonly string[]>): void {
  if (counts.size > 0) console.log(`\n${title}:`);
  const sorted = [...counts].sort(([, one], [, other]) => other.length - one.length);
  for (const [reason, examples] of sorted.slice(0, MAX_EXAMPLES))
    console.log(
      `${String(examples.length).padStart(6)} ${reason}: ${examples[0]?.replace(/\s+/g, ' ').slice(0, 120)}`,
    );
}

const { manifests, seed, random, python } = drawManifests();
const templates = new Set<string>();
for (const { text } of manifests)
  collectTemplates(
    parseDocument(text, { merge: true, logLevel: 'silent' }).toJS({ maxAliasCount: 10_000 }),
    templates,
  );

const generator = new ValueGenerator(random);
const sources = new Map<string, string>();
const refusals = new Map<string, string[]>();
const renderings: Rendering[] = [];
for (const template of templates) {
  const result = translated(template);
  if ('reason' in result) {
    count(refusals, result.reason, template);
    continue;
  }
  sources.set(template, result.text);
  for (const context of generator.contexts(template, VALUES))
    renderings.push({ template, context, now: NOW });
}

const answers = renderInPython(python, renderings);
const errors = new Map<string, string[]>();
const examples = new Map<string, string>();
let equal = 0;
let different = 0;
for (const [index, { template, context, now }] of renderings.entries()) {
  const answer = answers[index] as Answer;
  if ('error' in answer) {
    count(errors, answer.error, template);
    continue;
  }
  const source = sources.get(template) ?? '';
  const text = renderHere(source, { ...context, now });
  if (text === answer.text) {
    equal++;
    continue;
  }
  different++;
  if (!examples.has(template))
    examples.set(
      template,
      [
        `template  ${template.slice(0, 300)}`,
        `values    ${JSON.stringify(context).slice(0, 400)}`,
        `Jinja     ${JSON.stringify(answer.text).slice(0, 200)}`,
        `JSONata   ${JSON.stringify(text).slice(0, 200)}`,
      ].join('\n  '),
    );
}

const failed = [...errors.values()].reduce((sum, { length }) => sum + length, 0);
console.log(`Seed ${seed}: ${manifests.length} manifests with ${templates.size} templates`);
console.log(`${sources.size} translated, ${templates.size - sources.size} not translated`);
console.log(
  `${renderings.length} renderings: ${equal} equal, ${different} different (in ${examples.size} templates), ${failed} errors in Jinja`,
);
printCounts('Not translated', refusals);
printCounts('Errors in Jinja', errors);
for (const example of [...examples.values()].slice(0, MAX_EXAMPLES)) console.log(`\n  ${example}`);
process.exit(different === 0 ? 0 : 1);

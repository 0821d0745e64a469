import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile, type JsonataError, type Limits } from './index.ts';

/** The official suite; SOURCES.md beside it describes its layout. */
const SUITE = join(import.meta.dirname, '../../../../shared/data/jsonata-suite');

interface Case {
  readonly name: string;
  readonly expr: string;
  readonly input: unknown;
  readonly bindings?: Record<string, unknown>;
  readonly timelimit?: number;
  readonly depth?: number;
  readonly unordered?: boolean;
  readonly result?: unknown;
  readonly undefinedResult?: boolean;
  readonly code?: string;
  readonly token?: string;
  readonly error?: Record<string, unknown>;
}

type RawCase = Omit<Case, 'name' | 'expr' | 'input'> & {
  readonly expr?: string;
  readonly 'expr-file'?: string;
  readonly data?: unknown;
  readonly dataset?: string | null;
};

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function casesOf(group: string): Case[] {
  const folder = join(SUITE, 'groups', group);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const content = readJson(join(folder, file));
      return (Array.isArray(content) ? content : [content]).map((raw: RawCase, index) => ({
        ...raw,
        name: `${file}[${index}]`,
        expr: raw.expr ?? readFileSync(join(folder, String(raw['expr-file'])), 'utf8'),
        input: raw.dataset ? readJson(join(SUITE, 'datasets', `${raw.dataset}.json`)) : raw.data,
      }));
    });
}

function run(testCase: Case): unknown {
  const limits: Partial<Limits> = {};
  if (testCase.timelimit !== undefined) limits.timeMs = testCase.timelimit;
  if (testCase.depth !== undefined) limits.depth = testCase.depth;
  return compile(testCase.expr, limits).evaluate(testCase.input, testCase.bindings ?? {});
}

function failureOf(testCase: Case): JsonataError {
  let result: unknown;
  try {
    result = run(testCase);
  } catch (thrown) {
    return thrown as JsonataError;
  }
  throw new Error(`expected an error, got ${JSON.stringify(result)}`);
}

/** Returns the expected code. The suite's runner limits time and depth from outside (U1001); here the engine does. */
function suiteCode(code: string): string {
  return code === 'D1011' || code === 'D1012' ? 'U1001' : code;
}

function check(testCase: Case): void {
  if ('result' in testCase) {
    const result = run(testCase);
    if (testCase.unordered)
      expect(new Set(result as unknown[])).toEqual(new Set(testCase.result as unknown[]));
    else expect(result).toStrictEqual(testCase.result);
  } else if ('undefinedResult' in testCase) {
    expect(run(testCase)).toBeUndefined();
  } else if ('error' in testCase) {
    expect(failureOf(testCase)).toMatchObject(testCase.error as Record<string, unknown>);
  } else {
    const failure = failureOf(testCase);
    expect(suiteCode(failure.code)).toBe(testCase.code);
    if (testCase.token !== undefined) expect(failure.token).toBe(testCase.token);
  }
}

describe.skipIf(!existsSync(SUITE))(
  'official JSONata suite (skipped without ../shared/data/jsonata-suite)',
  () => {
    const groups = existsSync(SUITE) ? readdirSync(join(SUITE, 'groups')) : [];

    it('contains 1,686 cases', () => {
      expect(groups.flatMap(casesOf)).toHaveLength(1686);
    });

    for (const group of groups) {
      describe(group, () => {
        for (const testCase of casesOf(group)) {
          it(`evaluates ${testCase.name} ${testCase.expr.slice(0, 80).replace(/\s+/g, ' ')}`, () =>
            check(testCase));
        }
      });
    }
  },
);

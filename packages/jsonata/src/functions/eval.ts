import type { Site } from '../runtime/callable.ts';
import { asJsonataError, describe, JsonataError } from '../runtime/errors.ts';
import { Frame } from '../runtime/frame.ts';
import { LIMITS } from '../runtime/limits.ts';
import { wrapInput } from '../runtime/sequence.ts';
import type { Builtin } from './builtin.ts';

/** Evaluates a text as an expression, with the caller's variables and within the same limits. */
function evaluateText(text: string, focus: unknown, site: Site): unknown {
  const { frame } = site;
  const { run } = frame;
  run.budget.checkDepth(site.depth + 1);
  run.budget.spend(text.length + 1000);
  const input = focus === undefined ? site.input : wrapInput(focus);
  const code = attempt('D3120', () => run.compileText(text, frame.scope));
  const inner = new Frame(run, frame.parent, frame.scope, frame.slots, site.depth);
  return attempt('D3121', () => code(input, inner));
}

/** Wraps an error of the inner expression, unless it is a limit of the whole evaluation. */
function attempt<T>(code: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const error = describe(asJsonataError(thrown));
    if (LIMITS.has(error.code)) throw error;
    throw new JsonataError(code, { value: error.message, error });
  }
}

export const evaluation: readonly Builtin[] = [
  {
    name: 'eval',
    signature: '<sx?:x>',
    summary: 'Evaluates a string as an expression.',
    arity: 2,
    body: ([text, focus], site) => (text === undefined ? undefined : evaluateText(String(text), focus, site)),
  },
];

import { type Code, call } from './jinja/code.ts';
import type { Variables } from './jinja/translate-expression.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { type TemplateScope, variablesOf } from './variables.ts';

/** Returns the variables of templates that read an answer: `response`, and `headers` by names in any letters. */
export function answerVariables(scope: TemplateScope, roots: Readonly<Record<string, Code>> = {}): Variables {
  const answer = { response: call('response', 'any'), headers: call('headers', 'object') };
  const known = variablesOf({ ...scope, roots: { ...answer, ...roots } });
  return (path) => {
    const [root, name, ...rest] = path;
    if (root !== 'headers') return known(path);
    if (name === undefined) throw new UntranslatableError('all headers of an answer');
    return known([root, name.toLowerCase(), ...rest]);
  };
}

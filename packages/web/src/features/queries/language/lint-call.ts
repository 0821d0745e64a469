import { PARAMETERS, type Parameter, wordsOf } from './function-docs.ts';
import { type Facts, lookUp } from './infer.ts';
import { isHere, telling } from './lint-operand.ts';
import { written } from './names.ts';
import type { Kind, Shape } from './shape.ts';
import { isEmpty, type Syntax, type SyntaxNode, textOf } from './tree.ts';

interface Problem {
  readonly at: SyntaxNode;
  readonly message: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  s: 'text',
  n: 'number',
  b: 'boolean',
  l: 'null',
  o: 'object',
  f: 'function',
};

function kindsOf(letters: string): Kind[] {
  return [...letters].flatMap((letter) => KINDS[letter] ?? []);
}

function article(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** Returns the problem of an argument; undefined when it fits or its shape is unknown. */
function argumentProblem(name: string, parameter: Parameter, shape: Shape, text: string): string | undefined {
  const isListWanted = parameter.kinds.includes('a');
  const letters = isListWanted ? parameter.items : parameter.kinds;
  if (letters === '' || /[xj]/.test(letters)) return undefined;
  const wanted = kindsOf(letters);
  const given = [...shape.kinds].filter((kind) => kind !== 'null');
  if (given.length === 0) return undefined;
  const takes = isListWanted ? `a list of ${wordsOf(letters)}s` : article(wordsOf(letters));
  if (!given.some((kind) => wanted.includes(kind))) {
    const field = given.includes('object') ? telling(shape, wanted) : undefined;
    const longer = field === undefined ? '' : `${text}.${written(field)}`;
    const what = shape.isList ? `${text} is a list here` : isHere(text, shape);
    const call = shape.isList && !isListWanted ? `${longer}.$${name}($)` : longer;
    return field === undefined
      ? `${isHere(text, shape)}; $${name} takes ${takes}.`
      : `${what}; did you mean ${call}?`;
  }
  if (shape.isList && !isListWanted)
    return `${text} is a list here; $${name} takes ${takes}. Did you mean ${text}.$${name}($)?`;
  return undefined;
}

/** Returns the problems of a call of a library function. */
export function callProblem(call: SyntaxNode, isPiped: boolean, syntax: Syntax, facts: Facts): Problem[] {
  const [callee, ...all] = call.children;
  if (callee?.kind !== 'variable') return [];
  const fact = facts.get(callee);
  const parameters = PARAMETERS.get(callee.text);
  if (!fact || !parameters || lookUp(fact.variables, callee.text)) return [];
  const args = all.filter((arg) => !isEmpty(arg));
  const required = parameters.filter(({ isOptional }) => !isOptional).length;
  const count = args.length + (isPiped ? 1 : 0);
  const usesContext = count < required && parameters[0]?.takesContext === true;
  const shift = isPiped || usesContext ? 1 : 0;
  const isEndless = parameters.length === 1 && callee.text === 'zip';
  const extra = args[parameters.length - shift];
  if (extra && !isEndless)
    return [
      {
        at: extra,
        message: `$${callee.text} takes ${parameters.length === 0 ? 'no arguments' : `at most ${parameters.length} ${parameters.length === 1 ? 'argument' : 'arguments'}`}.`,
      },
    ];
  return args.flatMap((at, index) => {
    const parameter = parameters[index + shift];
    const shape = facts.get(at)?.shape;
    if (!parameter || !shape || at.kind === 'placeholder') return [];
    const message = argumentProblem(callee.text, parameter, shape, textOf(syntax, at));
    return message === undefined ? [] : [{ at, message }];
  });
}

import { quoteName } from '../../../ui/field-name.ts';
import { PARAMETERS, type Parameter, wordsOf } from './function-docs.ts';
import { type InferredTypes, lookUp } from './infer.ts';
import { describeOperand, identifyingField } from './lint-operand.ts';
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

function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** Returns the problem of an argument; undefined when it fits or its shape is unknown. */
function argumentProblem(name: string, parameter: Parameter, shape: Shape, text: string): string | undefined {
  const isListWanted = parameter.kinds.includes('a');
  const letters = isListWanted ? parameter.items : parameter.kinds;
  if (letters === '' || /[xj]/.test(letters)) return undefined;
  const wanted = kindsOf(letters);
  const actual = [...shape.kinds].filter((kind) => kind !== 'null');
  if (actual.length === 0) return undefined;
  const takes = isListWanted ? `a list of ${wordsOf(letters)}s` : withArticle(wordsOf(letters));
  if (!actual.some((kind) => wanted.includes(kind))) {
    const field = actual.includes('object') ? identifyingField(shape, wanted) : undefined;
    const longer = field === undefined ? '' : `${text}.${quoteName(field)}`;
    const what = shape.isList ? `${text} is a list here` : describeOperand(text, shape);
    const call = shape.isList && !isListWanted ? `${longer}.$${name}($)` : longer;
    return field === undefined
      ? `${describeOperand(text, shape)}; $${name} takes ${takes}.`
      : `${what}; did you mean ${call}?`;
  }
  if (shape.isList && !isListWanted)
    return `${text} is a list here; $${name} takes ${takes}. Did you mean ${text}.$${name}($)?`;
  return undefined;
}

/** Returns the problems of a call of a library function. */
export function callProblems(
  call: SyntaxNode,
  isPiped: boolean,
  syntax: Syntax,
  types: InferredTypes,
): Problem[] {
  const [callee, ...all] = call.children;
  if (callee?.kind !== 'variable') return [];
  const inferred = types.get(callee);
  const parameters = PARAMETERS.get(callee.text);
  if (!inferred || !parameters || lookUp(inferred.scope, callee.text)) return [];
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
    const shape = types.get(at)?.shape;
    if (!parameter || !shape || at.kind === 'placeholder') return [];
    const message = argumentProblem(callee.text, parameter, shape, textOf(syntax, at));
    return message === undefined ? [] : [{ at, message }];
  });
}

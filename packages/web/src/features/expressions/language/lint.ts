import { compile, JsonataError } from '@datadeck/jsonata';
import { FUNCTION_DOCS, PARAMETERS } from './function-docs.ts';
import { type InferredType, type InferredTypes, infer, lookUp, type TypeEnvironment } from './infer.ts';
import { callProblems } from './lint-call.ts';
import { operandProblem } from './lint-operand.ts';
import { nearest } from './names.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { describeShape, type Shape } from './shape.ts';
import { type Syntax, type SyntaxNode, textOf, walk } from './tree.ts';

export interface Diagnostic {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  /** One or two sentences that help to correct it. */
  readonly message: string;
}

/** Returns the parser's error at its position, with a clearer message where there is one. */
function syntaxDiagnostic(syntax: Syntax): Diagnostic | undefined {
  try {
    compile(syntax.text);
    return undefined;
  } catch (thrown) {
    const [problem] = syntax.problems;
    if (problem) return { ...problem, severity: 'error' };
    const position = thrown instanceof JsonataError ? (thrown.position ?? 0) : 0;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { from: Math.max(0, position - 1), to: position, severity: 'error', message };
  }
}

/** Returns the path of a nested field with this name. */
function pathTo(shape: Shape, name: string): string | undefined {
  for (const [outer, field] of shape.fields) if (field.fields.has(name)) return `${outer}.${name}`;
  return undefined;
}

function fieldProblem(node: SyntaxNode, { context }: InferredType): string | undefined {
  if (!context || context.isOpen || context.fields.has(node.text)) return undefined;
  const kinds = [...context.kinds].filter((kind) => kind !== 'null');
  if (kinds.length === 0) return undefined;
  if (!kinds.includes('object')) return `There is a ${describeShape(context)} here, which has no fields.`;
  const like = nearest(node.text, context.fields.keys()) ?? pathTo(context, node.text);
  const hint = like === undefined ? '' : ` Did you mean ${like}?`;
  return context.share
    ? `No loaded row has ${node.text} here.${hint}`
    : `There is no ${node.text} here.${hint}`;
}

function calleeProblem(callee: SyntaxNode, inferred: InferredType): string | undefined {
  if (callee.kind === 'name' && PARAMETERS.has(callee.text))
    return `Functions begin with a $. Did you mean $${callee.text}?`;
  if (callee.kind !== 'variable' || lookUp(inferred.scope, callee.text) || PARAMETERS.has(callee.text))
    return undefined;
  const like = nearest(`$${callee.text}`, FUNCTION_DOCS.keys());
  return `There is no function $${callee.text}.${like === undefined ? '' : ` Did you mean ${like}?`}`;
}

function diagnosticsAt(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  syntax: Syntax,
  types: InferredTypes,
): Diagnostic[] {
  const inferred = types.get(node);
  const warn = (at: SyntaxNode, message: string | undefined, severity: Diagnostic['severity'] = 'warning') =>
    message === undefined ? [] : [{ from: at.from, to: at.to, severity, message }];
  const [callee] = node.children;
  switch (node.kind) {
    case 'name':
      return inferred && !(parent?.kind === 'call' && parent.children[0] === node)
        ? warn(node, fieldProblem(node, inferred))
        : [];
    case 'binary':
      if (node.text === '~>') return [];
      return node.children.flatMap((side, at) =>
        warn(side, operandProblem(node.text, side, node.children[1 - at], syntax, types)),
      );
    case 'call': {
      if (!callee) return [];
      const problem = inferred && calleeProblem(callee, inferred);
      if (problem !== undefined) return warn(callee, problem, 'error');
      const isPiped = parent?.kind === 'binary' && parent.text === '~>' && parent.children[1] === node;
      return callProblems(node, isPiped, syntax, types).map(({ at, message }) => ({
        from: at.from,
        to: at.to,
        severity: 'warning',
        message,
      }));
    }
    default:
      return [];
  }
}

/** Returns the errors and warnings for an expression over rows of a shape, in the order of the text. */
export function diagnosticsIn(text: string, environment: TypeEnvironment): Diagnostic[] {
  if (text.trim() === '') return [];
  const syntax = parseTolerantly(text);
  const wrong = syntaxDiagnostic(syntax);
  if (wrong) return [wrong];
  const types = infer(syntax.root, environment);
  const parents = new Map<SyntaxNode, SyntaxNode>();
  walk(syntax.root, (node) => {
    for (const child of node.children) parents.set(child, node);
  });
  const diagnostics: Diagnostic[] = [];
  walk(syntax.root, (node) => diagnostics.push(...diagnosticsAt(node, parents.get(node), syntax, types)));
  return diagnostics.sort((a, b) => a.from - b.from);
}

const ADVICE: Readonly<Record<string, string>> = {
  T0411: 'Write the argument in the brackets: the current context has the wrong type.',
  T1003: 'Make the key a text with $string(…).',
  T1006: 'Only functions can be called. The names of library functions begin with a $.',
  T2001: 'Calculations take numbers: use $number(…) to convert a text, or & to join texts.',
  T2002: 'Calculations take numbers: use $number(…) to convert a text, or & to join texts.',
  T2006: 'Write a function after ~>, such as ~> $count.',
  T2007: 'Sort by values of one type: $string(…) converts all values to text.',
  T2008: 'Sort by a field of the rows that is a number or a text.',
  T2009: 'Make both sides the same type with $number(…) or $string(…).',
  T2010: 'Compare numbers or texts: select a field of the value, or count it with $count(…).',
  D1009: 'Keys must be unique: group first, or build the key from several fields.',
  D1011: 'A recursive function needs a case in which it does not call itself.',
  D1012: 'Filter the rows first, with a predicate in square brackets.',
  D3030: 'Select only the values that are numbers, such as [$match(value, /^[0-9.]+$/)].',
  D3070: 'Define how to compare: $sort(rows, function($a, $b) { $a.size > $b.size }).',
  D3110: 'A timestamp looks like "2024-05-01T09:30:00Z"; for others give a picture as second argument.',
  D3138: 'Use a predicate and [0] to take the first of several.',
  D3139: 'Use a predicate in square brackets: it returns nothing instead of an error.',
  L1001: 'Filter the rows first, with a predicate in square brackets.',
  L1002: 'Use fewer or shorter texts.',
  L1003: 'Use fewer rows or fields, or count them.',
};

export interface Failure {
  readonly message: string;
  readonly position?: number | undefined;
  readonly code?: string | undefined;
}

/** Returns a sentence that helps with a failed evaluation; undefined when its message is sufficient. */
export function adviceOn(text: string, failure: Failure, environment: TypeEnvironment): string | undefined {
  const diagnostics = diagnosticsIn(text, environment);
  const { position, code } = failure;
  const near = diagnostics.find(
    ({ from, to }) => position !== undefined && from <= position && position <= to,
  );
  // The engine reports the end of the call or operator; the wrong operand is next to it.
  const found = near ?? diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  if (found && found.message !== failure.message) return found.message;
  if (code !== undefined && ADVICE[code] !== undefined) return ADVICE[code];
  return code?.startsWith('T041') ? signatureHint(text, position) : undefined;
}

function signatureHint(text: string, position: number | undefined): string | undefined {
  const syntax = parseTolerantly(text);
  let hint: string | undefined;
  walk(syntax.root, (node) => {
    const [callee] = node.children;
    if (
      node.kind !== 'call' ||
      !callee ||
      position === undefined ||
      position < node.from ||
      position > node.to
    )
      return;
    const doc = FUNCTION_DOCS.get(textOf(syntax, callee));
    if (doc) hint = `${doc.name} takes ${doc.signature.replace(' → ', ' and returns ')}.`;
  });
  return hint;
}

import { canBeQuoted, quoteName } from '../../../ui/field-name.ts';
import { FUNCTION_DOCS } from './function-docs.ts';
import { type InferredTypes, infer, type Scope, type TypeEnvironment } from './infer.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { describeShape, type Shape } from './shape.ts';
import { nodesAt, type SyntaxNode } from './tree.ts';

export interface CompletionItem {
  readonly kind: 'field' | 'variable' | 'function' | 'keyword';
  /** The inserted text. */
  readonly text: string;
  /** Type and example, or signature. */
  readonly detail: string;
  /** A sentence about it. */
  readonly info: string;
}

export interface CompletionList {
  /** The text range that the completion replaces. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
}

const EXAMPLE_LENGTH = 24;

/** Returns an example value in short form. */
export function shortExample(shape: Shape, length = EXAMPLE_LENGTH): string {
  if (shape.example === undefined) return '';
  const text = JSON.stringify(shape.example);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Returns the number of rows that have a value, as text. */
export function shareOf({ share }: Shape): string {
  return share ? `in ${share.rows} of ${share.of} ${share.of === 1 ? 'row' : 'rows'}` : '';
}

function fieldCompletions(context: Shape | undefined): CompletionItem[] {
  const fields = [...(context?.fields ?? [])].filter(([name]) => canBeQuoted(name));
  return fields.map(([name, shape]) => {
    const example = shortExample(shape);
    return {
      kind: 'field',
      text: quoteName(name),
      detail: example === '' ? describeShape(shape) : `${describeShape(shape)} · ${example}`,
      info: [describeShape(shape), shareOf(shape)].filter((part) => part !== '').join(', '),
    };
  });
}

function variableCompletions(scope: Scope): CompletionItem[] {
  const items = new Map<string, CompletionItem>();
  for (let current: Scope | null = scope; current; current = current.parent) {
    for (const [name, shape] of current.bindings) {
      if (name === '' || items.has(name)) continue;
      const detail = shape ? describeShape(shape) : '';
      items.set(name, { kind: 'variable', text: `$${name}`, detail, info: 'Bound in this expression' });
    }
  }
  return [
    ...items.values(),
    { kind: 'variable', text: '$', detail: 'context', info: 'The value that is being looked at' },
    { kind: 'variable', text: '$$', detail: 'input', info: 'All rows' },
  ];
}

const FUNCTION_COMPLETIONS: readonly CompletionItem[] = [...FUNCTION_DOCS.values()].map(
  ({ name, signature, summary, example }) => ({
    kind: 'function',
    text: name,
    detail: signature,
    info: example ? `${summary}\n${example[0]} → ${example[1]}` : summary,
  }),
);

const KEYWORDS: readonly CompletionItem[] = ['true', 'false', 'null', 'function'].map((text) => ({
  kind: 'keyword',
  text,
  detail: '',
  info: '',
}));

/** Returns the node at the cursor: a name, a name being written, or a position where a name is possible. */
function nodeToComplete(nodes: readonly SyntaxNode[]): SyntaxNode | undefined {
  const last = nodes.at(-1);
  return last && ['name', 'variable', 'missing', 'value'].includes(last.kind) ? last : undefined;
}

function isStepOf(nodes: readonly SyntaxNode[]): boolean {
  // Inside a step's filter, the name is on the left side of the filter, which is the right side of the path.
  let child = nodes.at(-1);
  for (const parent of nodes.slice(0, -1).reverse()) {
    if (parent.kind === 'path' && parent.children[1] === child) return true;
    if (parent.children[0] !== child) return false;
    child = parent;
  }
  return false;
}

/** Returns the completions at a position of an expression over rows of a shape; null where there are none. */
export function completionsAt(
  text: string,
  position: number,
  environment: TypeEnvironment,
): CompletionList | null {
  const { root, comments } = parseTolerantly(text);
  if (comments.some(({ from, to }) => from < position && position < to)) return null;
  const nodes = nodesAt(root, position);
  const target = nodeToComplete(nodes);
  if (!target) return null;
  const types: InferredTypes = infer(root, environment);
  const inferred = types.get(target);
  if (!inferred) return null;
  const isMissing = target.kind === 'missing';
  const from = isMissing ? position : target.from;
  const to = isMissing ? position : target.to;
  const parent = nodes.at(-2);
  // The user chooses the names of a function's parameters.
  if (parent?.kind === 'lambda' && parent.children.at(-1) !== target) return null;
  if (target.kind === 'variable')
    return { from, to, items: [...variableCompletions(inferred.scope), ...FUNCTION_COMPLETIONS] };
  const fields = fieldCompletions(inferred.context);
  const isStep = isStepOf(nodes);
  if (text.startsWith('`', from)) return { from, to, items: fields.map(quoted) };
  return {
    from,
    to,
    items: [
      ...fields,
      ...variableCompletions(inferred.scope),
      ...FUNCTION_COMPLETIONS,
      ...(isStep ? [] : KEYWORDS),
    ],
  };
}

function quoted(item: CompletionItem): CompletionItem {
  return item.text.startsWith('`') ? item : { ...item, text: `\`${item.text}\`` };
}

import { FUNCTION_DOCS } from './function-docs.ts';
import { type Facts, type Given, infer, type Variables } from './infer.ts';
import { written } from './names.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { describeShape, type Shape } from './shape.ts';
import { nodesAt, type SyntaxNode } from './tree.ts';

export interface Offer {
  readonly kind: 'field' | 'variable' | 'function' | 'keyword';
  /** What is put in. */
  readonly text: string;
  /** Type and example, or signature. */
  readonly detail: string;
  /** A sentence about it. */
  readonly info: string;
}

export interface Offers {
  /** The text that the offer replaces. */
  readonly from: number;
  readonly to: number;
  readonly offers: readonly Offer[];
}

const EXAMPLE_LENGTH = 24;

/** An example value, in short. */
export function shortExample(shape: Shape, length = EXAMPLE_LENGTH): string {
  if (shape.example === undefined) return '';
  const text = JSON.stringify(shape.example);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** In how many rows there is a value. */
export function shareOf({ share }: Shape): string {
  return share ? `in ${share.rows} of ${share.of} ${share.of === 1 ? 'row' : 'rows'}` : '';
}

function fieldOffers(context: Shape | undefined): Offer[] {
  return [...(context?.fields ?? [])].map(([name, shape]) => {
    const example = shortExample(shape);
    return {
      kind: 'field',
      text: written(name),
      detail: example === '' ? describeShape(shape) : `${describeShape(shape)} · ${example}`,
      info: [describeShape(shape), shareOf(shape)].filter((part) => part !== '').join(', '),
    };
  });
}

function variableOffers(variables: Variables): Offer[] {
  const offers = new Map<string, Offer>();
  for (let scope: Variables | null = variables; scope; scope = scope.outer) {
    for (const [name, shape] of scope.own) {
      if (name === '' || offers.has(name)) continue;
      const detail = shape ? describeShape(shape) : '';
      offers.set(name, { kind: 'variable', text: `$${name}`, detail, info: 'Bound in this expression' });
    }
  }
  return [
    ...offers.values(),
    { kind: 'variable', text: '$', detail: 'context', info: 'The value that is being looked at' },
    { kind: 'variable', text: '$$', detail: 'input', info: 'All rows' },
  ];
}

const FUNCTION_OFFERS: readonly Offer[] = [...FUNCTION_DOCS.values()].map(
  ({ name, signature, summary, example }) => ({
    kind: 'function',
    text: name,
    detail: signature,
    info: example ? `${summary}\n${example[0]} → ${example[1]}` : summary,
  }),
);

const WORDS: readonly Offer[] = ['true', 'false', 'null', 'function'].map((text) => ({
  kind: 'keyword',
  text,
  detail: '',
  info: '',
}));

/** The place at the cursor: where a name stands, is being written, or could be. */
function placeAt(nodes: readonly SyntaxNode[]): SyntaxNode | undefined {
  const last = nodes.at(-1);
  return last && ['name', 'variable', 'missing', 'value'].includes(last.kind) ? last : undefined;
}

function isStepOf(nodes: readonly SyntaxNode[]): boolean {
  // Inside a step's filter the name is the left side of the filter, which is the right side of the path.
  let child = nodes.at(-1);
  for (const parent of nodes.slice(0, -1).reverse()) {
    if (parent.kind === 'path' && parent.children[1] === child) return true;
    if (parent.children[0] !== child) return false;
    child = parent;
  }
  return false;
}

/** What can be written at a position of an expression over rows of a shape; null where nothing is to be offered. */
export function offersAt(text: string, position: number, given: Given): Offers | null {
  const { root, comments } = parseTolerantly(text);
  if (comments.some(({ from, to }) => from < position && position < to)) return null;
  const nodes = nodesAt(root, position);
  const place = placeAt(nodes);
  if (!place) return null;
  const facts: Facts = infer(root, given);
  const fact = facts.get(place);
  if (!fact) return null;
  const isMissing = place.kind === 'missing';
  const from = isMissing ? position : place.from;
  const to = isMissing ? position : place.to;
  const parent = nodes.at(-2);
  // A parameter of a function is a name of one's own.
  if (parent?.kind === 'lambda' && parent.children.at(-1) !== place) return null;
  if (place.kind === 'variable')
    return { from, to, offers: [...variableOffers(fact.variables), ...FUNCTION_OFFERS] };
  const fields = fieldOffers(fact.context);
  const isStep = isStepOf(nodes);
  if (text.startsWith('`', from)) return { from, to, offers: fields.map(quoted) };
  return {
    from,
    to,
    offers: [...fields, ...variableOffers(fact.variables), ...FUNCTION_OFFERS, ...(isStep ? [] : WORDS)],
  };
}

function quoted(offer: Offer): Offer {
  return offer.text.startsWith('`') ? offer : { ...offer, text: `\`${offer.text}\`` };
}

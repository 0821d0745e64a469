import { shareOf, shortExample } from './completion.ts';
import { FUNCTION_DOCS } from './function-docs.ts';
import { infer, lookUp, type TypeEnvironment } from './infer.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { describeShape, type Shape } from './shape.ts';
import { nodesAt, textOf } from './tree.ts';

export interface Documentation {
  readonly from: number;
  readonly to: number;
  /** The name; for a function, with its signature. */
  readonly title: string;
  readonly lines: readonly string[];
}

const EXAMPLE_LENGTH = 60;
const FIELDS_SHOWN = 8;

function linesOf(shape: Shape | undefined): string[] {
  if (!shape) return ['The type is unknown.'];
  const lines = [[describeShape(shape), shareOf(shape)].filter((part) => part !== '').join(', ')];
  const example = shortExample(shape, EXAMPLE_LENGTH);
  if (example !== '') lines.push(`For example ${example}`);
  const names = [...shape.fields.keys()];
  if (names.length > 0)
    lines.push(
      `Fields: ${names.slice(0, FIELDS_SHOWN).join(', ')}${names.length > FIELDS_SHOWN ? ` and ${names.length - FIELDS_SHOWN} more` : ''}`,
    );
  return lines;
}

/** Returns the documentation of the function, variable or field at a position. */
export function documentationAt(
  text: string,
  position: number,
  environment: TypeEnvironment,
): Documentation | null {
  const syntax = parseTolerantly(text);
  const nodes = nodesAt(syntax.root, position);
  const node = nodes.at(-1);
  if (!node || (node.kind !== 'name' && node.kind !== 'variable')) return null;
  const inferred = infer(syntax.root, environment).get(node);
  if (!inferred) return null;
  const { from, to } = node;
  if (node.kind === 'variable' && node.text !== '' && node.text !== '$') {
    const doc = FUNCTION_DOCS.get(`$${node.text}`);
    const bound = lookUp(inferred.scope, node.text);
    if (doc && !bound) {
      const { name, signature, summary, example } = doc;
      return {
        from,
        to,
        title: `${name}${signature}`,
        lines: example ? [summary, `${example[0]} → ${example[1]}`] : [summary],
      };
    }
    if (!bound)
      return {
        from,
        to,
        title: `$${node.text}`,
        lines: ['The expression does not set this variable: it is an input.'],
      };
  }
  const isMissing =
    node.kind === 'name' &&
    inferred.context &&
    !inferred.context.isOpen &&
    !inferred.context.fields.has(node.text);
  const lines = isMissing ? ['No loaded row has this field.'] : linesOf(inferred.shape);
  return { from, to, title: textOf(syntax, node), lines };
}

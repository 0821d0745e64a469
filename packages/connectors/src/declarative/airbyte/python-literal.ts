import { splitTemplate } from './component.ts';
import { type JinjaNode, parseTemplate } from './jinja/parse-template.ts';
import { attempt } from './jinja/untranslatable-error.ts';

/** A text or an expression within a literal, as a template. */
export class LiteralText {
  /** What is in the quotes, or the only expression of a value without quotes: `{{ record.id }}`. */
  readonly template: string;
  /** False for an expression without quotes, which may print a number. */
  readonly isQuoted: boolean;

  constructor(template: string, isQuoted: boolean) {
    this.template = template;
    this.isQuoted = isQuoted;
  }
}

/** A value that Python's `literal_eval` reads in what a template prints. */
export type Literal = LiteralText | number | boolean | null | Literal[] | { [name: string]: Literal };

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
]);
/** Begins a list, an object, a tuple or a text in quotes, but no tag of a template. */
const OPENING = /^\s*(?:[[('"]|\{(?![{%#]))/;
/** Marks the places of expressions. No manifest has this character. */
const MARK = '\uE000';

/** Returns the quote within which a text ends; empty without one. */
function quoteAfter(text: string, before: string): string {
  let quote = before;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '' && character === '\\') at++;
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  return quote;
}

/** Returns the value of a syntax tree; undefined for one that is no literal. */
function literalOf(
  { type, value, ...node }: JinjaNode,
  textOf: (text: string) => LiteralText,
): Literal | undefined {
  switch (type) {
    case 'StringLiteral':
      return textOf(String(value));
    case 'IntegerLiteral':
    case 'FloatLiteral':
      return Number(value);
    case 'Identifier':
      return WORDS.get(String(value));
    case 'UnaryExpression': {
      const number = literalOf(node.argument as JinjaNode, textOf);
      const { value: sign } = node.operator as { value?: string };
      return sign === '-' && typeof number === 'number' ? -number : undefined;
    }
    case 'ArrayLiteral':
    case 'TupleLiteral': {
      const items = (value as JinjaNode[]).map((item) => literalOf(item, textOf));
      return items.includes(undefined) ? undefined : (items as Literal[]);
    }
    case 'ObjectLiteral': {
      const members = [...(value as Map<JinjaNode, JinjaNode>)].map(
        ([name, own]) => [literalOf(name, textOf), literalOf(own, textOf)] as const,
      );
      const isNamed = members.every(([name, own]) => name instanceof LiteralText && own !== undefined);
      return isNamed
        ? Object.fromEntries(members.map(([name, own]) => [(name as LiteralText).template, own as Literal]))
        : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Parses a template that prints a list, an object, a tuple or a text in quotes of Python. Expressions stay templates:
 * `[{{ record.id }}]` is a list of one `LiteralText` without quotes, and a tuple is a list. Returns undefined for another template, such as
 * a bare number or word, or one with a statement.
 */
export function readLiteral(template: string): Literal | undefined {
  if (!OPENING.test(template) || /\{[%#]/.test(template) || template.includes(MARK)) return undefined;
  const parts = splitTemplate(template);
  let quote = '';
  const marked = parts.map((part, index) => {
    if (index % 2 === 1) return quote === '' ? `'${MARK}${index}${MARK}'` : `${MARK}${index}${MARK}`;
    quote = quoteAfter(part, quote);
    // Braces side by side would begin or end a tag.
    return part.replace(/([{}])(?=[{}])/g, '$1 ');
  });
  const bare = new Set(
    parts.flatMap((_, index) => (marked[index]?.startsWith(`'${MARK}`) ? [`${index}`] : [])),
  );
  const textOf = (text: string) => {
    const pieces = text.split(MARK);
    const whole = pieces
      .map((piece, index) => (index % 2 === 1 ? (parts[Number(piece)] ?? '') : piece))
      .join('');
    return new LiteralText(whole, !(pieces.length === 3 && bare.has(pieces[1] ?? '')));
  };
  const parsed = attempt(() => parseTemplate(`{{ ${marked.join('').trim()} }}`));
  if ('reason' in parsed) return undefined;
  const [only, ...others] = parsed.value;
  return only && others.length === 0 ? literalOf(only, textOf) : undefined;
}

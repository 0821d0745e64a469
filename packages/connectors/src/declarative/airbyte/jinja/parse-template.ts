import { parse, tokenize } from '@huggingface/jinja';
import { UntranslatableError } from './untranslatable-error.ts';

/** Longest template that is read, UTF-16 units. */
const MAX_LENGTH = 20_000;
const KNOWN_ESCAPE = /[\\'"nrtbfvxu]/;

/** A node of the syntax tree, as the parser has it: `type` says which members there are. */
export interface JinjaNode {
  type: string;
  [member: string]: unknown;
}

/** Returns a template whose tags have two backslashes before letters without a meaning, as Python reads them: `'\\d'`. */
function withPlainBackslashes(template: string): string {
  let text = '';
  let quote = '';
  let isTag = false;
  for (let at = 0; at < template.length; ) {
    const character = template[at] ?? '';
    const pair = template.slice(at, at + 2);
    const isEnd: boolean = isTag && quote === '' && (pair === '}}' || pair === '%}');
    if (isEnd || (!isTag && (pair === '{{' || pair === '{%'))) isTag = !isEnd;
    else if (isTag && character === '\\') text += KNOWN_ESCAPE.test(pair.slice(1)) ? '' : character;
    else {
      if (isTag && quote === '' && (character === '"' || character === "'")) quote = character;
      else if (character === quote) quote = '';
      text += character;
      at++;
      continue;
    }
    text += pair;
    at += 2;
  }
  return text;
}

/**
 * Parses a template. A backslash before a letter without a meaning stays, as in Python: `'\d'`.
 * @throws UntranslatableError for a template that is not well formed or too long
 */
export function parseTemplate(template: string): JinjaNode[] {
  if (template.length > MAX_LENGTH) throw new UntranslatableError('the template is too long');
  const source = withPlainBackslashes(template);
  try {
    return parse(tokenize(source)).body as unknown as JinjaNode[];
  } catch (error) {
    throw new UntranslatableError(`the template is not well formed (${(error as Error).message})`);
  }
}

import { findSearchOperator } from './search-operators.ts';

/** A token of a search. `from` and `to` are offsets in the text, UTF-16 units. */
export interface SearchToken {
  type: 'word' | 'phrase' | 'operator' | 'not' | 'or' | 'and' | 'open' | 'close';
  /** Content of a word or phrase, name of an operator, the character of a bracket, how `not` is written. */
  text: string;
  from: number;
  to: number;
  /** True for a phrase whose closing quotation mark is missing. */
  isUnclosed?: true;
}

/**
 * Matches one token or a run of blanks; each alternative takes linear time. Typographic quotation marks count as plain ones,
 * and a minus sign inside of a word, e.g. in `e-mail`, belongs to the word. A colon in the value of an operator belongs to the
 * value: `label:type:bug`. The name of an operator begins with a letter: `10:30` is a word.
 */
const TOKEN =
  /(?<blank>\s+)|["“”„](?<phrase>[^"“”„]*)(?<end>["“”„]?)|(?<open>[({])|(?<close>[)}])|(?<not>-(?=[^\s)}]))|(?<![A-Za-z0-9_]:)(?<operator>[A-Za-z_][A-Za-z0-9_]{1,19}):(?!\/\/)(?:(?<detached>(?=[\s)}]|$))|)|(?<word>[^\s"“”„(){}]+)/gy;
/** Characters that are not visible, except the two that join and separate letters of some scripts. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Returns the text of a word or phrase without invisible characters. */
function visible(text: string): string {
  return text.replace(INVISIBLE, '');
}

function tokenOf(
  groups: Record<string, string | undefined>,
): Pick<SearchToken, 'type' | 'text' | 'isUnclosed'> {
  const { phrase, end, open, close, operator, detached, word } = groups;
  if (phrase !== undefined)
    return { type: 'phrase', text: visible(phrase), ...(end === '' && { isUnclosed: true }) };
  if (open !== undefined) return { type: 'open', text: open };
  if (close !== undefined) return { type: 'close', text: close };
  if (groups.not !== undefined) return { type: 'not', text: '-' };
  if (operator !== undefined) {
    // Subjects begin with texts such as `Re: ` and `Fwd: `.
    const isText = detached !== undefined && findSearchOperator(operator) === undefined;
    return isText ? { type: 'word', text: `${operator}:` } : { type: 'operator', text: operator };
  }
  if (word === 'OR') return { type: 'or', text: '' };
  if (word === 'AND') return { type: 'and', text: '' };
  if (word === 'NOT') return { type: 'not', text: word };
  return { type: 'word', text: visible(word ?? '') };
}

/** Splits a search into tokens. Every text has tokens: there is no error. */
export function tokenizeSearch(text: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    if (groups.blank !== undefined) continue;
    const [token, from] = [tokenOf(groups), match.index];
    if (token.type === 'word' && token.text === '') continue;
    tokens.push({ ...token, from, to: from + match[0].length });
  }
  return tokens;
}

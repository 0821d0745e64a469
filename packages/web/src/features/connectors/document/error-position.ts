import { JSON_TOKEN } from './positions.ts';

const isScalar = (token: string): boolean => {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns where a text stops being JSON; its length if only its end is missing. The messages of `JSON.parse` differ between
 * browsers, and some name no position.
 */
export function errorPosition(text: string): number {
  const stack: string[] = [];
  let expects: 'value' | 'name' | 'colon' | 'comma' = 'value';
  /** Whether the list or object was opened just before. */
  let isEmpty = false;
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    const top = stack.at(-1);
    if (token === '{' || token === '[') {
      if (expects !== 'value') return index;
      stack.push(token);
      expects = token === '{' ? 'name' : 'value';
      isEmpty = true;
      continue;
    }
    if (token === '}' || token === ']') {
      if (top !== (token === '}' ? '{' : '[') || !(isEmpty || expects === 'comma')) return index;
      stack.pop();
      expects = 'comma';
    } else if (token === ',') {
      if (expects !== 'comma' || top === undefined) return index;
      expects = top === '{' ? 'name' : 'value';
    } else if (token === ':') {
      if (expects !== 'colon') return index;
      expects = 'value';
    } else if (expects === 'name') {
      if (!token.startsWith('"') || !isScalar(token)) return index;
      expects = 'colon';
    } else {
      if (expects !== 'value' || !isScalar(token)) return index;
      expects = 'comma';
    }
    isEmpty = false;
  }
  return text.length;
}

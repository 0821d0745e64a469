import { diffLines, diffWordsWithSpace } from 'diff';

/** A stretch of two texts that are compared. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Texts that are longer than this together are compared by lines. */
const BY_WORDS = 4000;
/** Comparing longer than this is given up, ms. */
const PATIENCE_MS = 300;
/** Characters that stay beside a change. */
const CONTEXT = 60;

const GAP = ' … ';

/** Leaves out the middle of what stayed the same. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const head = isFirst ? '' : text.slice(0, CONTEXT);
  const tail = isLast ? '' : text.slice(-CONTEXT);
  return head.length + tail.length + GAP.length >= text.length ? text : head + GAP + tail;
}

/** What stayed, went and came between two texts; undefined where that would take too long to find out. */
export function textParts(before: string, after: string): TextPart[] | undefined {
  const options = { timeout: PATIENCE_MS };
  const isShort = before.length + after.length <= BY_WORDS;
  const parts = isShort
    ? diffWordsWithSpace(before, after, options)
    : diffLines(before, after, { ...options, maxEditLength: 2000 });
  return parts?.map(({ value, added, removed }, index) => {
    if (added) return { kind: 'added', text: value };
    if (removed) return { kind: 'removed', text: value };
    return { kind: 'same', text: shortened(value, index === 0, index === parts.length - 1) };
  });
}

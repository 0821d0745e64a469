import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of the comparison of two texts. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Maximum combined length for a comparison by words, characters; longer texts are compared by lines. */
const MAX_WORDWISE_LENGTH = 4000;
/** Timeout of a comparison, ms. */
const TIMEOUT_MS = 300;
/** Unchanged characters that are kept on each side of a change. */
const CONTEXT = 60;

const GAP = ' … ';

/** Cuts the middle out of an unchanged part. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const head = isFirst ? '' : text.slice(0, CONTEXT);
  const tail = isLast ? '' : text.slice(-CONTEXT);
  return head.length + tail.length + GAP.length >= text.length ? text : head + GAP + tail;
}

/** Returns the unchanged, removed and added parts of two texts; undefined if the comparison times out. */
export function textParts(before: string, after: string): TextPart[] | undefined {
  const options = { timeout: TIMEOUT_MS };
  const isShort = before.length + after.length <= MAX_WORDWISE_LENGTH;
  const parts = isShort
    ? diffWordsWithSpace(before, after, options)
    : diffLines(before, after, { ...options, maxEditLength: 2000 });
  return parts?.map(({ value, added, removed }, index) => {
    if (added) return { kind: 'added', text: value };
    if (removed) return { kind: 'removed', text: value };
    return { kind: 'same', text: shortened(value, index === 0, index === parts.length - 1) };
  });
}

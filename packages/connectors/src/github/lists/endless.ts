import { z } from 'zod';
import { ProviderError } from '../../sdk/index.ts';

/** Pages after which a list counts as endless. */
const MAX_PAGES = 2 ** 20;

/** Shape of what a checkpoint needs to notice a list without end. */
export const progressShape = {
  /** An earlier cursor: the list is a loop if it comes again. Moves on at powers of two (Brent's algorithm). */
  marker: z.string().default(''),
  /** Number of pages read. */
  pages: z.number().int().default(0),
};

interface Progress {
  marker: string;
  pages: number;
}

/** The progress before the first page. */
export const NO_PROGRESS: Progress = { marker: '', pages: 0 };

/**
 * Returns the progress after a page.
 * @param from cursor or address of the page @param to that of the next page; null for a page number, or after the last page
 * @param many what the list has, e.g. `issues`
 * @throws ProviderError `malformed` for a list that repeats itself or does not end
 */
export function progressAfter(
  { marker, pages: before }: Progress,
  { from, to }: { from: string | null; to: string | null },
  many: string,
): Progress {
  const pages = before + 1;
  if (pages >= MAX_PAGES || (to !== null && (to === from || to === marker)))
    throw new ProviderError('malformed', `GitHub sent an endless list of ${many}.`);
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return { pages, marker: isPowerOfTwo ? (to ?? '') : marker };
}

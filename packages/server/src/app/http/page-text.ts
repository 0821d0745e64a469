import { JsonText } from './route.ts';

/** Builds the JSON of a page from the text of its results. */
export function pageText({ text, ...rest }: { text: string; count: number }): JsonText {
  return new JsonText(`{"results":${text},${JSON.stringify(rest).slice(1)}`);
}

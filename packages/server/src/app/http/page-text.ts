import { JsonText } from './route.ts';

/** Puts the text of the results that an evaluation returned into the JSON of their page. */
export function pageText({ text, ...rest }: { text: string; count: number }): JsonText {
  return new JsonText(`{"results":${text},${JSON.stringify(rest).slice(1)}`);
}

import { createBoardSchema } from '@datadeck/contract';

/** Returns what is wrong with the name of a board; undefined if nothing is. */
export function nameProblem(name: string): string | undefined {
  return createBoardSchema.shape.title.safeParse(name).error?.issues[0]?.message;
}

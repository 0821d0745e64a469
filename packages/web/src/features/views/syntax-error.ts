import { LIMITS } from '@datadeck/contract';

/** Loads the engine when an expression is first checked. */
const loadEngine = () => import('@datadeck/jsonata');

/**
 * Returns what is wrong with the syntax of an expression; undefined: nothing, or another rule applies (empty, too long).
 * The server checks once more, also when the engine cannot be fetched.
 */
export async function syntaxErrorOf(expression: string): Promise<string | undefined> {
  if (expression.trim() === '' || expression.length > LIMITS.viewQuery) return undefined;
  const engine = await loadEngine().catch(() => undefined);
  if (!engine) return undefined;
  try {
    engine.compile(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

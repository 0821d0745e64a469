import { LIMITS } from '@datadeck/contract';

/** Loads the engine's code; called when an expression is first checked. */
const loadEngine = () => import('@datadeck/jsonata');

/**
 * Returns the syntax error of an expression; undefined when there is none or another rule applies (empty, too long).
 * The server checks again, so a failure to load the engine is ignored.
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

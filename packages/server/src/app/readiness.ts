import { isWritable } from '../platform/db/health.ts';
import type { Product } from './product.ts';

/** Returns why requests cannot be served at the moment, as `/readyz` says it; undefined when they can. */
export async function blockedReason({
  context,
  isDiskFull,
}: Pick<Product, 'context' | 'isDiskFull'>): Promise<string | undefined> {
  try {
    return (await isWritable(context.db)) ? undefined : 'the database is read-only';
  } catch {
    return isDiskFull() ? 'the disk of the database is full' : 'the database does not answer';
  }
}

/** A thread that reads pages until one is of the repository 'die'. */
import { servePages } from '../sdk/page-thread-main.ts';

servePages((element, context) => {
  if (context === 'die') process.exit(1);
  return { id: String((element as { id: number }).id), occurredAt: new Date(0), facets: {} };
});

/**
 * Maps items with up to `ahead()` tasks begun beyond the one whose outcome is awaited, and yields the outcomes in the items'
 * order. Tasks go on while the consumer is busy. When the consumer leaves early or a task fails, the rest is aborted by
 * the signal that each task gets, and no other begins.
 */
export async function* orderedParallel<T, R>(
  items: Iterable<T>,
  ahead: () => number,
  task: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const source = items[Symbol.iterator]();
  const abort = new AbortController();
  const begun: Promise<R>[] = [];
  let isOver = false;
  const fill = () => {
    while (!isOver && begun.length < ahead()) {
      const next = source.next();
      if (next.done) {
        isOver = true;
        return;
      }
      const outcome = task(next.value, abort.signal);
      begun.push(outcome);
      outcome.catch(() => {
        isOver = true;
      });
    }
  };
  try {
    fill();
    for (let outcome = begun.shift(); outcome; outcome = begun.shift()) {
      fill();
      yield await outcome;
    }
  } finally {
    isOver = true;
    abort.abort();
  }
}

/**
 * Runs up to `ahead()` tasks beyond the awaited one and yields the results in the order of the items, also while the
 * consumer is busy. When the consumer returns early or a task fails, aborts the running tasks and starts no others.
 */
export async function* orderedParallel<T, R>(
  items: Iterable<T>,
  ahead: () => number,
  task: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const source = items[Symbol.iterator]();
  const abort = new AbortController();
  const started: Promise<R>[] = [];
  let isDone = false;
  const fill = () => {
    while (!isDone && started.length < ahead()) {
      const next = source.next();
      if (next.done) {
        isDone = true;
        return;
      }
      const outcome = task(next.value, abort.signal);
      started.push(outcome);
      outcome.catch(() => {
        isDone = true;
      });
    }
  };
  try {
    fill();
    for (let outcome = started.shift(); outcome; outcome = started.shift()) {
      fill();
      yield await outcome;
    }
  } finally {
    isDone = true;
    abort.abort();
  }
}

/**
 * Maps items with up to `width` tasks running and yields the outcomes in the items' order. Tasks go on while the
 * consumer is busy, up to `2 * width` outcomes ahead of it. When the consumer leaves early or a task fails,
 * the rest is aborted by the signal that each task gets.
 */
export async function* orderedParallel<T, R>(
  items: Iterable<T>,
  width: number,
  task: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const source = items[Symbol.iterator]();
  const abort = new AbortController();
  const ahead: Promise<R>[] = [];
  let running = 0;
  let isOver = false;
  const fill = () => {
    while (!isOver && running < width && ahead.length < 2 * width) {
      const next = source.next();
      if (next.done) {
        isOver = true;
        return;
      }
      running++;
      const outcome = task(next.value, abort.signal);
      ahead.push(outcome);
      const settled = () => {
        running--;
        fill();
      };
      outcome.then(settled, () => {
        isOver = true;
      });
    }
  };
  try {
    for (;;) {
      fill();
      const outcome = ahead.shift();
      if (!outcome) return;
      yield await outcome;
    }
  } finally {
    isOver = true;
    abort.abort();
  }
}

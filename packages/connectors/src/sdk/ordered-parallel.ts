/**
 * Maps items with up to `width` tasks in flight and yields the outcomes in the items' order.
 * An early exit of the consumer leaves the tasks in flight to settle by themselves.
 */
export async function* orderedParallel<T, R>(
  items: Iterable<T>,
  width: number,
  task: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = [];
  const start = (item: T) => {
    const promise = task(item);
    promise.catch(() => undefined);
    inFlight.push(promise);
  };
  for (const item of items) {
    start(item);
    if (inFlight.length >= width) yield await (inFlight.shift() as Promise<R>);
  }
  while (inFlight.length > 0) yield await (inFlight.shift() as Promise<R>);
}

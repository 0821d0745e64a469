/** Start of the records of emulated services. */
const BEGUN = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** The time of an emulated service: each event is an hour after the one before, so that no two have the same time. */
export class Timeline {
  #events = 0;

  /** Returns the time of the next event, ms since 1970. */
  next(): number {
    return BEGUN + HOUR_MS * ++this.#events;
  }
}

/** Returns one item of a list, in turn. @param list not empty */
export function inTurn<Item>(list: readonly Item[], index: number): Item {
  return list[index % list.length] as Item;
}

const DAY_MS = 86_400_000;

/** Returns a random integer from 0 up to, without, `most`. */
export type Random = (most: number) => number;

/** Returns `count` different integers from `first` up to, without, `end`, in ascending order; all of them where there are no more. */
function pick(count: number, [first, end]: readonly [number, number], random: Random): number[] {
  const size = end - first;
  if (count > size / 2) {
    const all = Array.from({ length: size }, (_, index) => first + index);
    while (all.length > count) all.splice(random(all.length), 1);
    return all;
  }
  const picked = new Set<number>();
  while (picked.size < count) picked.add(first + random(size));
  return [...picked].sort((a, b) => a - b);
}

const ascending = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b);

/** Replaces each value of a part of a time, such as the minute of the day, by another in the same order; zero stays zero. */
function placesOf(values: Iterable<number>, size: number, random: Random): Map<number, number> {
  const all = ascending(values);
  const rest = all.filter((value) => value !== 0);
  const picked = pick(rest.length, [1, size], random);
  return new Map([[0, 0], ...rest.map((value, index): [number, number] => [value, picked[index] ?? value])]);
}

/** Groups times by the units that they have passed since 1970. */
function groupsOf(times: readonly number[], unitMs: number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const time of times) {
    const unit = Math.floor(time / unitMs);
    const group = groups.get(unit);
    if (group) group.push(time - unit * unitMs);
    else groups.set(unit, [time - unit * unitMs]);
  }
  return groups;
}

/**
 * Replaces the times of an answer by others: their order stays, and which are equal, on the same day, or at midnight. What is
 * between them says nothing about the real times.
 */
export class TimeReplacer {
  readonly #times = new Map<number, number>();
  readonly #random: Random;
  readonly #now: number;

  /**
   * @param times those of the answer, ms since 1970
   * @param fixed times of the document: those before one stay before it, those of its day are kept
   * @param now times until this day stay in the past
   */
  constructor(
    times: Iterable<number>,
    { fixed, now, random }: { fixed: readonly number[]; now: number; random: Random },
  ) {
    this.#random = random;
    this.#now = now;
    const all = ascending(times);
    const days = groupsOf(all, DAY_MS);
    const replaced = this.#days([...days.keys()], ascending(fixed.map((time) => Math.floor(time / DAY_MS))));
    for (const [day, clocks] of days) {
      const other = replaced.get(day) ?? day;
      const written = other === day ? new Map<number, number>() : this.#clocks(clocks);
      for (const clock of clocks)
        this.#times.set(day * DAY_MS + clock, other * DAY_MS + (written.get(clock) ?? clock));
    }
  }

  /** Returns the replaced time. One that the answer did not have becomes a random time of the past. */
  replace(time: number): number {
    const known = this.#times.get(time);
    if (known !== undefined) return known;
    const other = (Math.floor(this.#now / DAY_MS) - 30 - this.#random(3000)) * DAY_MS;
    this.#times.set(time, other);
    return other;
  }

  /** Replaces days, between the fixed ones. */
  #days(days: readonly number[], fixed: readonly number[]): Map<number, number> {
    const today = Math.floor(this.#now / DAY_MS);
    const bounds = ascending([...fixed, today + 0.5]);
    const replaced = new Map<number, number>();
    for (const [index, end] of [...bounds, Number.POSITIVE_INFINITY].entries()) {
      const start = bounds[index - 1] ?? Number.NEGATIVE_INFINITY;
      const own = days.filter((day) => day > start && day < end);
      // An open side has room of its own.
      const room = 4 * own.length + 60;
      const first = Number.isFinite(start)
        ? Math.floor(start) + 1
        : Math.floor(end) - room - this.#random(3000);
      const last = end === today + 0.5 ? today : end;
      const limit = Number.isFinite(start) && Number.isFinite(last) ? last : Math.min(last, first + room);
      const picked = pick(own.length, [first, Math.max(limit, first)], this.#random);
      for (const [at, day] of own.entries()) replaced.set(day, picked[at] ?? day);
    }
    return replaced;
  }

  /** Replaces times of a day (ms), minute by minute, second by second: forms without seconds stay different, too. */
  #clocks(clocks: readonly number[]): Map<number, number> {
    const replaced = new Map<number, number>();
    const minutes = groupsOf(clocks, 60_000);
    const ofMinutes = placesOf(minutes.keys(), 1440, this.#random);
    for (const [minute, inMinute] of minutes) {
      const seconds = groupsOf(inMinute, 1000);
      const ofSeconds = placesOf(seconds.keys(), 60, this.#random);
      for (const [second, inSecond] of seconds) {
        const ofMilliseconds = placesOf(inSecond, 1000, this.#random);
        for (const millisecond of inSecond) {
          const [a = 0, b = 0, c = 0] = [
            ofMinutes.get(minute),
            ofSeconds.get(second),
            ofMilliseconds.get(millisecond),
          ];
          replaced.set(minute * 60_000 + second * 1000 + millisecond, a * 60_000 + b * 1000 + c);
        }
      }
    }
    return replaced;
  }
}

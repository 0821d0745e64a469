/** Reads a value that `storeJson` wrote; the fallback on any failure. */
export function readJson<T>(key: string, fallback: T, parse: (value: unknown) => T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : parse(JSON.parse(text));
  } catch {
    return fallback;
  }
}

/** Stores a value as JSON; a full or forbidden storage is no error. */
export function storeJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The value lives on in memory alone.
  }
}

/** Forgets a value. */
export function removeJson(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** Reads a value that `storeJson` wrote. Returns the fallback if it is missing or invalid. */
export function readJson<T>(key: string, fallback: T, parse: (value: unknown) => T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : parse(JSON.parse(text));
  } catch {
    return fallback;
  }
}

/** Stores a value as JSON. Ignores a full or disabled storage. */
export function storeJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page keeps the value in memory only.
  }
}

/** Removes a stored value. */
export function removeJson(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is disabled, so nothing was stored.
  }
}

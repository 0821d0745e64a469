import { Callable } from './callable.ts';
import { JsonataError } from './errors.ts';
import type { Budget } from './limits.ts';

/** Returns whether the value is a finite number. @throws JsonataError for an infinite one */
export function isNumeric(value: unknown): value is number {
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  if (!Number.isFinite(value)) throw new JsonataError('D1001', { value });
  return true;
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function' || value instanceof Callable;
}

/** Returns whether the value is a JSON object: not an array, a function or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Callable);
}

/** Converts a condition's value to a boolean; undefined is false. */
export function isTruthy(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return isNumeric(value) && value !== 0;
    case 'object':
      return value !== null && isTruthyObject(value);
    default:
      return false;
  }
}

function isTruthyObject(value: object): boolean {
  if (Array.isArray(value)) return value.some(isTruthy);
  if (value instanceof Callable) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

/** Compares two values deeply; the order of keys does not matter. */
export function isDeepEqual(left: unknown, right: unknown, budget: Budget): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Callable || right instanceof Callable) return false;
  budget.spend(1);
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) if (!isDeepEqual(left[i], right[i], budget)) return false;
    return true;
  }
  if (Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key], budget));
}

/** Sets a key of an object that the engine created; `__proto__` is an ordinary key. */
export function setKey(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

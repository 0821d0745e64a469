import { useCallback, useState } from 'react';
import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';

/** Maximum number of templates whose state is kept; the templates used last stay. */
const MAX_TEMPLATES = 30;

/** Names a template: `gmail-messages/all`. Template keys alone are not unique. */
export const templateName = (entityLabel: string, templateKey: string) => `${entityLabel}/${templateKey}`;

function readKept<T>(storageKey: string, schema: z.ZodType<T>): Record<string, T> {
  return readJson(storageKey, {}, (value) => z.record(z.string(), schema).parse(value));
}

function withKept<T>(kept: Record<string, T>, template: string, value: T): Record<string, T> {
  const { [template]: _, ...others } = kept;
  return Object.fromEntries([...Object.entries(others), [template, value]].slice(-MAX_TEMPLATES));
}

/** Replaces what is kept for a template, for a page that is not open. */
export function keepFor<T>(storageKey: string, schema: z.ZodType<T>, entry: [template: string, value: T]) {
  storeJson(storageKey, withKept(readKept(storageKey, schema), ...entry));
}

/** Keeps a value for each template in local storage, so that it survives a reload and a change of screen. */
export function useKeptByTemplate<T>(
  storageKey: string,
  schema: z.ZodType<T>,
  at: { template: string; empty: T },
): [T, (change: (before: T) => T) => void] {
  const { template, empty } = at;
  const [kept, setKept] = useState(() => readKept(storageKey, schema));
  const valueIn = useCallback(
    (all: Record<string, T>) => (Object.hasOwn(all, template) ? (all[template] ?? empty) : empty),
    [template, empty],
  );
  const set = useCallback(
    (change: (before: T) => T) =>
      setKept((before) => {
        const next = withKept(before, template, change(valueIn(before)));
        storeJson(storageKey, next);
        return next;
      }),
    [storageKey, template, valueIn],
  );
  return [valueIn(kept), set];
}

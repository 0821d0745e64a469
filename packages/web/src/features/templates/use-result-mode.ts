import { RESULT_MODES } from '@datadeck/contract';
import { useState } from 'react';
import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';

const modeSchema = z.enum(RESULT_MODES);
export type ResultMode = z.infer<typeof modeSchema>;

/** How results are shown in each place until the user chooses. The specification has a tree on the Query screen. */
const FIRST = { views: 'table', query: 'tree', output: 'tree' } as const;

/** Keeps in local storage how results are shown in a place. */
export function useResultMode(place: keyof typeof FIRST): {
  mode: ResultMode;
  onMode: (mode: ResultMode) => void;
} {
  const key = `dd-resultMode-${place}`;
  const [mode, setMode] = useState(() =>
    readJson<ResultMode>(key, FIRST[place], (value) => modeSchema.parse(value)),
  );
  const onMode = (next: ResultMode) => {
    setMode(next);
    storeJson(key, next);
  };
  return { mode, onMode };
}

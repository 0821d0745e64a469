import { MAX_PARAMETERS, PARAMETER_TYPES } from '@datadeck/contract';
import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';
import type { KnownInputs } from '../../features/queries/use-query-inputs.ts';
import { INPUTS_KEY } from '../state/draft-key.ts';

/** Values that are remembered at most, including those for variables of earlier expressions. */
const MAX_KEPT = 4 * MAX_PARAMETERS;

const inputsSchema = z.record(
  z.string(),
  z.object({ name: z.string(), type: z.enum(PARAMETER_TYPES), text: z.string() }),
);

/** Keeps the values of the expression's variables in local storage, so that they survive a reload and a change of screen. */
export function useKnownInputs(): KnownInputs {
  const [known, setKnown] = useState(() => readJson(INPUTS_KEY, {}, (value) => inputsSchema.parse(value)));
  useEffect(() => storeJson(INPUTS_KEY, known), [known]);
  return useMemo(
    () => ({
      known,
      keep: (input) =>
        setKnown(({ [input.name]: _, ...others }) =>
          Object.fromEntries([...Object.entries(others), [input.name, input]].slice(-MAX_KEPT)),
        ),
    }),
    [known],
  );
}

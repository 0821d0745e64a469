import { MOST_PARAMETERS, PARAMETER_TYPES } from '@datadeck/contract';
import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';
import type { KnownInputs } from '../../features/queries/use-query-inputs.ts';
import { INPUTS_KEY } from '../state/draft-key.ts';

/** Variables of former expressions that are remembered too. */
const MOST_KEPT = 4 * MOST_PARAMETERS;

const inputsSchema = z.record(
  z.string(),
  z.object({ name: z.string(), type: z.enum(PARAMETER_TYPES), text: z.string() }),
);

/** What was set for the variables of the expression; like the expression it survives reload and leaving the screen. */
export function useKnownInputs(): KnownInputs {
  const [known, setKnown] = useState(() => readJson(INPUTS_KEY, {}, (value) => inputsSchema.parse(value)));
  useEffect(() => storeJson(INPUTS_KEY, known), [known]);
  return useMemo(
    () => ({
      known,
      keep: (input) =>
        setKnown(({ [input.name]: _, ...others }) =>
          Object.fromEntries([...Object.entries(others), [input.name, input]].slice(-MOST_KEPT)),
        ),
    }),
    [known],
  );
}

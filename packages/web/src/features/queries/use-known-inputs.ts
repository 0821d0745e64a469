import { MAX_PARAMETERS, PARAMETER_TYPES } from '@datadeck/contract';
import { useMemo } from 'react';
import { z } from 'zod';
import { useKeptByTemplate } from '../templates/kept-by-template.ts';
import { INPUTS_KEY } from './draft-key.ts';
import type { KnownInputs } from './use-query-inputs.ts';

/** Values that are remembered for a template at most, including those for variables of earlier expressions. */
const MAX_KEPT = 4 * MAX_PARAMETERS;

const inputsSchema = z.record(
  z.string(),
  z.object({ name: z.string(), type: z.enum(PARAMETER_TYPES), text: z.string() }),
);
const NONE: z.infer<typeof inputsSchema> = {};

/** Remembers the values that were entered for variables, for each template, in local storage. @param template its `templateName` */
export function useKnownInputs(template: string): KnownInputs {
  const [known, setKnown] = useKeptByTemplate(INPUTS_KEY, inputsSchema, { template, empty: NONE });
  return useMemo(
    () => ({
      known,
      keep: (input) =>
        setKnown(({ [input.name]: _, ...others }) =>
          Object.fromEntries([...Object.entries(others), [input.name, input]].slice(-MAX_KEPT)),
        ),
    }),
    [known, setKnown],
  );
}

import { type Bindings, MAX_PARAMETERS, type Parameter } from '@datadeck/contract';
import { useMemo } from 'react';
import { readParameter } from '../expressions/parameter-value.ts';

/** A variable of the expression whose value the user sets. */
export interface QueryInput {
  readonly name: string;
  readonly type: Parameter['type'];
  /** The value as typed. */
  readonly text: string;
}

const LOOKS_LIKE_DATE = /^(since|until|before|after|from|to|date|day)$|(Date|Day|At|_at|_date)$/;

function fresh(name: string): QueryInput {
  return { name, type: LOOKS_LIKE_DATE.test(name) ? 'date' : 'text', text: '' };
}

/** Values that the user has set, by variable name, and a function that stores one. */
export interface KnownInputs {
  readonly known: Readonly<Record<string, QueryInput>>;
  readonly keep: (input: QueryInput) => void;
}

interface QueryInputs {
  /** In the order of the expression. */
  inputs: readonly QueryInput[];
  change: (input: QueryInput) => void;
  /** Values of the variables that have one. */
  bindings: Bindings;
  /** The variables as parameters of a view. */
  parameters: readonly Parameter[];
}

/** Manages types and values of these variables. A name that returns keeps its earlier value. */
export function useQueryInputs(names: readonly string[], { known, keep }: KnownInputs): QueryInputs {
  const inputs = useMemo(
    () =>
      names
        .slice(0, MAX_PARAMETERS)
        .map((name) => (Object.hasOwn(known, name) ? known[name] : undefined) ?? fresh(name)),
    [names, known],
  );
  const parameters = useMemo(
    () =>
      inputs.map(({ name, type, text }): Parameter => {
        return { name, type, default: readParameter({ type }, text).value ?? null };
      }),
    [inputs],
  );
  const bindings = useMemo(
    () =>
      Object.fromEntries(
        parameters.flatMap(({ name, default: value }) => (value === null ? [] : [[name, value]])),
      ),
    [parameters],
  );
  return { inputs, change: keep, bindings, parameters };
}

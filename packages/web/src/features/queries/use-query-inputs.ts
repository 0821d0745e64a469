import { type Bindings, MOST_PARAMETERS, type Parameter } from '@datadeck/contract';
import { useMemo } from 'react';
import { readParameter } from '../../ui/parameter-value.ts';

/** A variable of the expression that gets its value from outside. */
export interface QueryInput {
  readonly name: string;
  readonly type: Parameter['type'];
  /** The value as it was typed. */
  readonly text: string;
}

const LOOKS_LIKE_DATE = /^(since|until|before|after|from|to|date|day)$|(Date|Day|At|_at|_date)$/;

function fresh(name: string): QueryInput {
  return { name, type: LOOKS_LIKE_DATE.test(name) ? 'date' : 'text', text: '' };
}

/** What was set for variables, by name, and how to keep it. */
export interface KnownInputs {
  readonly known: Readonly<Record<string, QueryInput>>;
  readonly keep: (input: QueryInput) => void;
}

interface QueryInputs {
  /** In the order of the expression. */
  inputs: readonly QueryInput[];
  change: (input: QueryInput) => void;
  /** Values of those that have one. */
  bindings: Bindings;
  /** As a view would declare them. */
  parameters: readonly Parameter[];
}

/** Types and values of the variables of these names; a name that comes back has the value that it had. */
export function useQueryInputs(names: readonly string[], { known, keep }: KnownInputs): QueryInputs {
  const inputs = useMemo(
    () =>
      names
        .slice(0, MOST_PARAMETERS)
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

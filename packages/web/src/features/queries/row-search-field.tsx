import { rowSearchSchema } from '@datadeck/contract';
import { useEffect, useState } from 'react';
import { DebouncedTextField } from '../../ui/debounced-text-field.tsx';

/** Debounce delay, ms: the search reads all records of the template. */
const DELAY = 600;

function problemOf(text: string): string | undefined {
  return rowSearchSchema.safeParse(text).error?.issues[0]?.message;
}

interface RowSearchFieldProps {
  search: string;
  /** Called with a search that can run; empty for all records. */
  onChange: (search: string) => void;
}

/** The field for the search that selects records of a template. A search that cannot run stays in the field, explained. */
export function RowSearchField({ search, onChange }: RowSearchFieldProps) {
  const [problem, setProblem] = useState(() => problemOf(search));
  useEffect(() => setProblem(problemOf(search)), [search]);
  return (
    <DebouncedTextField
      label="Only records that match"
      placeholder="Words and operators, such as newer_than:30d"
      spellCheck={false}
      autoCapitalize="off"
      delay={DELAY}
      value={search}
      error={problem}
      onChange={(text) => {
        const found = problemOf(text);
        setProblem(found);
        if (found === undefined) onChange(text);
      }}
    />
  );
}

import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { examplesFor } from './examples.ts';
import { QueryBuilder } from './query-builder.tsx';
import { fieldsOfRows } from './row-fields.ts';

interface ExpressionToolsProps {
  expression: string;
  /** The rows of the page; undefined while there are none. */
  rows: readonly unknown[] | undefined;
  /** Names of the most useful fields. */
  preferredColumns: readonly string[];
  /** Writes an expression that was changed by the builder. */
  onWrite: (expression: string) => void;
  /** Replaces the expression, after asking if it was not saved. */
  onReplace: (expression: string) => void;
}

const NO_ROWS: readonly unknown[] = [];

/** Ways to an expression without typing: examples over the rows, and the builder. */
export default function ExpressionTools({
  expression,
  rows = NO_ROWS,
  preferredColumns,
  onWrite,
  onReplace,
}: ExpressionToolsProps) {
  const [isBuilding, setIsBuilding] = useState(false);
  const fields = useMemo(() => fieldsOfRows(rows, preferredColumns), [rows, preferredColumns]);
  const examples = useMemo(() => examplesFor(rows, fields), [rows, fields]);
  return (
    <>
      <div className="-mx-2.5 flex items-center gap-1">
        <Button
          size="sm"
          variant="ghost"
          icon={<SlidersHorizontal size={14} />}
          aria-expanded={isBuilding}
          disabled={fields.length === 0 && !isBuilding}
          onClick={() => setIsBuilding(!isBuilding)}
        >
          Builder
        </Button>
        <Menu
          align="start"
          trigger={
            <Button
              size="sm"
              variant="ghost"
              icon={<ChevronDown size={14} />}
              disabled={examples.length === 0}
            >
              Examples
            </Button>
          }
          items={examples.map(({ title, expression: text }) => ({
            label: title,
            // Nobody wrote an example, so another one may replace it without asking.
            onSelect: () =>
              examples.some((example) => example.expression === expression) ? onWrite(text) : onReplace(text),
          }))}
        />
      </div>
      {isBuilding && (
        <QueryBuilder
          expression={expression}
          fields={fields}
          onWrite={onWrite}
          onStartOver={() => onReplace('')}
        />
      )}
    </>
  );
}

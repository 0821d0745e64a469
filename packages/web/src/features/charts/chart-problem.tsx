import type { ChartData } from '@datadeck/contract';
import { ChartNoAxesColumn, SearchX } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KIND_TITLES } from './chart-kinds.ts';

type Problem = NonNullable<ChartData['problem']>;

function textsOf({ chart, columns }: ChartData, problem: Problem): [title: string, hint: string] {
  const has = (name: string | undefined) => columns.some((column) => column.name === name);
  const absent = [chart.x, chart.series, chart.measure === 'sum' ? chart.y : undefined].find(
    (name) => name !== undefined && !has(name),
  );
  const numbers = chart.kind === 'distribution' ? chart.x : chart.y;
  const texts: Record<Problem, [title: string, hint: string]> = {
    'no-rows': ['There are no rows to draw.', 'The picture appears as soon as there are some.'],
    'no-field': [
      'The rows do not have the chosen field.',
      absent === undefined ? 'Choose another field.' : `No row has "${absent}". Choose another field.`,
    ],
    'no-numbers': [
      'There are no numbers to draw.',
      numbers === undefined
        ? 'Choose a field with numbers.'
        : `"${numbers}" has no numbers. Choose another field, or count rows.`,
    ],
    'no-groups': [
      `A picture of the kind "${KIND_TITLES[chart.kind]}" needs groups.`,
      'Choose a field with times or names.',
    ],
  };
  return texts[problem];
}

interface ChartProblemProps {
  data: ChartData;
  problem: Problem;
  /** Draws what is proposed; absent where it cannot be chosen. */
  onPropose?: (() => void) | undefined;
}

/** Says why a chart cannot be drawn and what to do about it. */
export function ChartProblem({ data, problem, onPropose }: ChartProblemProps) {
  const [title, hint] = textsOf(data, problem);
  const Icon = problem === 'no-rows' ? SearchX : ChartNoAxesColumn;
  return (
    <EmptyState
      icon={<Icon size={20} />}
      title={title}
      hint={hint}
      action={
        problem !== 'no-rows' && onPropose ? (
          <Button onClick={onPropose}>Draw what is proposed</Button>
        ) : undefined
      }
    />
  );
}

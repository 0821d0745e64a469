import { dayIn, type Parameter } from '@datadeck/contract';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { ParameterInput } from '../expressions/parameter-input.tsx';

/** Name of the parameter that begins a range of time, and the ranges that are offered, days. */
const SINCE = 'since';
const RANGES = [7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** Returns the parameters of views, one of each name: the first view's. */
export function parametersOf(views: readonly View[]): Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const { inputs } of views)
    for (const input of inputs) if (!byName.has(input.name)) byName.set(input.name, input);
  return [...byName.values()];
}

/** Returns the day in a time zone so many days ago: `2026-11-21`. */
export function daysAgo(days: number, timeZone: string, now = new Date()): string {
  return new Date(Date.parse(dayIn(now, timeZone)) - days * DAY_MS).toISOString().slice(0, 10);
}

interface BoardParametersProps {
  parameters: readonly Parameter[];
  timeZone: string;
  textOf: (name: string) => string;
  onChange: (name: string, text: string) => void;
}

/** The parameters of all tiles, once. Each applies to the tiles whose view has it. */
export function BoardParameters({ parameters, timeZone, textOf, onChange }: BoardParametersProps) {
  if (parameters.length === 0) return null;
  const hasSince = parameters.some(({ name, type }) => name === SINCE && type === 'date');
  return (
    <section
      aria-label="Parameters"
      className="mb-4 flex flex-wrap items-end gap-3 rounded-md border bg-surface p-3 print:hidden"
    >
      {parameters.map((parameter) => (
        <div key={parameter.name} className="w-44 max-sm:w-full">
          <ParameterInput
            parameter={parameter}
            text={textOf(parameter.name)}
            fallback={parameter.default === null ? '' : String(parameter.default)}
            onChange={(text) => onChange(parameter.name, text)}
          />
        </div>
      ))}
      {hasSince && (
        <span className="flex gap-1">
          {RANGES.map((days) => {
            const day = daysAgo(days, timeZone);
            return (
              <Button
                key={days}
                variant="ghost"
                aria-pressed={textOf(SINCE) === day}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
                onClick={() => onChange(SINCE, textOf(SINCE) === day ? '' : day)}
              >
                {days} days
              </Button>
            );
          })}
        </span>
      )}
    </section>
  );
}

import type { View } from '../../api/wire.ts';
import { ParameterInput } from '../../ui/parameter-input.tsx';
import { readParameter } from '../../ui/parameter-value.ts';

/** The text of a parameter's value in the address. */
export type ReadText = (name: string) => string;

/** The values that are given for a view's parameters, as JSON; undefined when there are none. */
export function givenParameters(view: View, textOf: ReadText): string | undefined {
  const values = view.inputs.flatMap((input) => {
    const { value } = readParameter(input, textOf(input.name));
    return value === undefined || value === null ? [] : [[input.name, value] as const];
  });
  return values.length === 0 ? undefined : JSON.stringify(Object.fromEntries(values));
}

interface ViewInputsProps {
  view: View;
  textOf: ReadText;
  onChange: (name: string, text: string) => void;
}

/** Inputs for the parameters of a view and of those that it builds on. */
export function ViewInputs({ view, textOf, onChange }: ViewInputsProps) {
  if (view.inputs.length === 0) return null;
  return (
    <section aria-label="Parameters" className="grid gap-3 rounded-sm bg-sunken p-3 sm:grid-cols-2">
      {view.inputs.map((input) => (
        <ParameterInput
          key={input.name}
          parameter={input}
          text={textOf(input.name)}
          fallback={input.default === null ? '' : String(input.default)}
          onChange={(text) => onChange(input.name, text)}
        />
      ))}
    </section>
  );
}

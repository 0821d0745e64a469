import type { View } from '../../api/models.ts';
import { ParameterInput } from '../expressions/parameter-input.tsx';

/** Returns the text of a parameter's value in the URL. */
export type ReadText = (name: string) => string;

interface ViewInputsProps {
  view: View;
  textOf: ReadText;
  onChange: (name: string, text: string) => void;
}

/** Inputs for the parameters of a view and its bases. */
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

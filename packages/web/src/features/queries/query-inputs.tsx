import type { Parameter } from '@datadeck/contract';
import { ParameterTypeSelect } from '../expressions/parameter-fields.tsx';
import { ParameterInput } from '../expressions/parameter-input.tsx';
import { readParameter } from '../expressions/parameter-value.ts';
import type { QueryInput } from './use-query-inputs.ts';

interface QueryInputsProps {
  inputs: readonly QueryInput[];
  onChange: (input: QueryInput) => void;
}

function typeOf(input: QueryInput, type: Parameter['type']): QueryInput {
  // Drop a text that does not fit the new type, instead of showing an error that the user did not cause.
  const { problem } = readParameter({ type }, input.text);
  return { ...input, type, text: problem === undefined ? input.text : '' };
}

/** Inputs for the variables that the expression does not bind. */
export function QueryInputs({ inputs, onChange }: QueryInputsProps) {
  if (inputs.length === 0) return null;
  return (
    <section aria-label="Inputs" className="flex flex-col gap-2 rounded-sm bg-sunken p-3">
      {inputs.map((input) => (
        <div key={input.name} className="grid grid-cols-[1fr_8rem] items-start gap-2">
          <ParameterInput
            parameter={input}
            text={input.text}
            onChange={(text) => onChange({ ...input, text })}
          />
          <ParameterTypeSelect
            label={`Type of $${input.name}`}
            type={input.type}
            onChange={(type) => onChange(typeOf(input, type))}
          />
        </div>
      ))}
    </section>
  );
}

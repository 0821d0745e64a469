import type { Parameter } from '@datadeck/contract';
import { ParameterInput } from './parameter-input.tsx';

interface ParameterInputsProps {
  parameters: readonly Parameter[];
  /** What is typed, by the names of parameters. */
  texts: Readonly<Record<string, string>>;
  onText: (name: string, text: string) => void;
}

/** A form's inputs for the values of parameters, side by side on wide screens. An empty one has the default of its parameter. */
export function ParameterInputs({ parameters, texts, onText }: ParameterInputsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {parameters.map((parameter) => (
        <ParameterInput
          key={parameter.name}
          parameter={parameter}
          text={texts[parameter.name] ?? ''}
          fallback={parameter.default === null ? '' : String(parameter.default)}
          onChange={(text) => onText(parameter.name, text)}
        />
      ))}
    </div>
  );
}

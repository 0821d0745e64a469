import { ParameterInputs } from '../expressions/parameter-inputs.tsx';
import type { Shared } from './shared-subject.ts';

interface ValuesProps {
  inputs: Shared['inputs'];
  texts: Readonly<Record<string, string>>;
  onText: (name: string, text: string) => void;
}

/** The values of the parameters, which readers of the link cannot change. */
export function FixedValues({ inputs, texts, onText }: ValuesProps) {
  if (inputs.length === 0) return null;
  const hasDate = inputs.some(({ name, type }) => type === 'date' && texts[name] !== '');
  return (
    <fieldset className="flex flex-col gap-3 rounded-sm border p-3">
      <legend className="px-1 text-13 font-medium text-ink-2">Values</legend>
      <p className="-mt-1 text-12 text-ink-3">
        Readers cannot change them.{hasDate && ' A date stays the same from day to day.'}
      </p>
      <ParameterInputs parameters={inputs} texts={texts} onText={onText} />
    </fieldset>
  );
}

import { MAX_PARAMETERS, PARAMETER_TYPES, type Parameter, parameterNameSchema } from '@datadeck/contract';
import { Plus, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ParameterInput } from './parameter-input.tsx';
import { readParameter } from './parameter-value.ts';

/** A parameter that is being edited; its default is still text. */
export interface ParameterDraft {
  name: string;
  type: Parameter['type'];
  text: string;
}

const WORDS: Readonly<Record<Parameter['type'], string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
};

export function draftsOf(parameters: readonly Parameter[]): ParameterDraft[] {
  return parameters.map(({ name, type, default: value }) => ({
    name,
    type,
    text: value === null ? '' : String(value),
  }));
}

/** Returns the error message for each draft's name, by index. */
function nameProblems(drafts: readonly ParameterDraft[]): (string | undefined)[] {
  return drafts.map(({ name }, index) => {
    if (name === '') return 'Required';
    if (!parameterNameSchema.safeParse(name).success) return 'Letters, digits and _ only';
    return drafts.findIndex((other) => other.name === name) < index ? 'Already in use' : undefined;
  });
}

/** Converts the drafts into parameters; returns undefined if a draft is invalid. */
export function parametersOf(drafts: readonly ParameterDraft[]): Parameter[] | undefined {
  if (nameProblems(drafts).some((problem) => problem !== undefined)) return undefined;
  const parameters: Parameter[] = [];
  for (const draft of drafts) {
    const { value } = readParameter(draft, draft.text);
    if (value === undefined) return undefined;
    parameters.push({ name: draft.name, type: draft.type, default: value });
  }
  return parameters;
}

interface TypeSelectProps {
  label: string;
  type: Parameter['type'];
  onChange: (type: Parameter['type']) => void;
}

/** Selects the type of a parameter. */
export function ParameterTypeSelect({ label, type, onChange }: TypeSelectProps) {
  return (
    <ChoiceField
      label={label}
      value={type}
      options={PARAMETER_TYPES.map((known) => ({ value: known, label: WORDS[known] }))}
      onChange={onChange}
    />
  );
}

interface ParameterFieldsProps {
  drafts: readonly ParameterDraft[];
  onChange: (drafts: ParameterDraft[]) => void;
}

/** Edits the parameters of a view: name, type and default of each. */
export function ParameterFields({ drafts, onChange }: ParameterFieldsProps) {
  const problems = nameProblems(drafts);
  const change = (index: number, patch: Partial<ParameterDraft>) =>
    onChange(drafts.map((draft, at) => (at === index ? { ...draft, ...patch } : draft)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-13 font-medium text-ink-2">Parameters</legend>
      <p className="text-12 text-ink-3">
        Variables of the query, such as $since, whose values are given when the view is read.
      </p>
      {drafts.map((draft, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while the user types; rows have no other identity
          key={index}
          className="grid grid-cols-[1fr_8rem_auto] items-start gap-2 border-b pb-2 last-of-type:border-0 sm:grid-cols-[1fr_8rem_1fr_auto] sm:border-0 sm:pb-0"
        >
          <TextField
            label="Name"
            required
            value={draft.name}
            maxLength={30}
            error={problems[index]}
            onChange={(event) => change(index, { name: event.target.value.replace(/^\$/, '') })}
          />
          <div className="col-start-2">
            <ParameterTypeSelect
              label="Type"
              type={draft.type}
              onChange={(type) => change(index, { type })}
            />
          </div>
          <div className="col-span-2 col-start-1 sm:col-span-1 sm:col-start-3">
            <ParameterInput
              label="Default"
              parameter={draft}
              text={draft.text}
              onChange={(text) => change(index, { text })}
            />
          </div>
          <IconButton
            className="col-start-3 row-start-1 mt-7 sm:col-start-4"
            label={`Remove parameter ${draft.name}`}
            icon={<X size={14} />}
            onClick={() => onChange(drafts.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {drafts.length < MAX_PARAMETERS && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          icon={<Plus size={14} />}
          onClick={() => onChange([...drafts, { name: '', type: 'text', text: '' }])}
        >
          Add parameter
        </Button>
      )}
    </fieldset>
  );
}

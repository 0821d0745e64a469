import { ChoiceField } from '../../../ui/choice-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { membersAt, type Path, textAt } from '../document/document-text.ts';
import { columnOptions, NUMBER_TYPES } from './columns.ts';
import { useDocumentForm, useField } from './form-context.ts';
import { ChoiceValue } from './values.tsx';

const CONDITIONS = [
  { value: 'equal', label: 'Is' },
  { value: 'not-equal', label: 'Is not' },
  { value: 'at-least', label: 'Is at least' },
  { value: 'at-most', label: 'Is at most' },
  { value: 'older-than-days', label: 'Is older than, days' },
  { value: 'within-days', label: 'Is within the last days' },
  { value: 'set', label: 'Has a value' },
  { value: 'unset', label: 'Has no value' },
];
/** The conditions of some types of columns; those of others compare. */
const CONDITIONS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  time: ['older-than-days', 'within-days', 'set', 'unset'],
  texts: ['set', 'unset'],
  boolean: ['equal', 'not-equal', 'set', 'unset'],
};
const COMPARISONS = ['equal', 'not-equal', 'at-least', 'at-most', 'set', 'unset'];
const BOOLEANS = [
  { value: 'true', label: 'True' },
  { value: 'false', label: 'False' },
];

type Expected = 'number' | 'boolean' | 'text' | undefined;

/** Returns what a condition compares with; undefined if with nothing. */
function expectedOf(type: string, is: string): Expected {
  if (is === 'set' || is === 'unset') return undefined;
  if (is.endsWith('-days') || NUMBER_TYPES.includes(type)) return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

/** What a new condition compares with. */
const INITIAL_VALUES = { number: 7, boolean: true, text: '' } as const;

/** Returns a typed text as a number, once it is one. */
const numberOf = (text: string): number | string => (String(Number(text)) === text ? Number(text) : text);

function ComparedValue({ path, expected }: { path: Path; expected: Exclude<Expected, undefined> }) {
  const { value, problem, set } = useField(path);
  const label = 'Value';
  if (expected === 'boolean')
    return (
      <ChoiceField
        label={label}
        options={BOOLEANS}
        value={String(value === true)}
        error={problem}
        onChange={(text) => set(text === 'true')}
      />
    );
  return (
    <TextField
      label={label}
      value={value === undefined ? '' : String(value)}
      error={problem}
      inputMode={expected === 'number' ? 'decimal' : undefined}
      onChange={({ target }) => set(expected === 'number' ? numberOf(target.value) : target.value)}
    />
  );
}

/** A condition of a template: a column, how it is compared, and with what. */
export function ConditionFields({ entity, path }: { entity: Path; path: Path }) {
  const { document, edit } = useDocumentForm();
  const condition = membersAt(document, path);
  const is = textAt(condition, ['is']);
  const typeOf = (column: string) => textAt(document, [...entity, 'columns', column, 'type']);
  const type = typeOf(textAt(condition, ['column']));
  const expected = expectedOf(type, is);

  /** Sets the column or the comparison; a value of another type is replaced. */
  function choose(column: string, chosen: string) {
    const allowed = CONDITIONS_OF_TYPE[typeOf(column)] ?? COMPARISONS;
    const next = allowed.includes(chosen) ? chosen : (allowed[0] ?? chosen);
    const wanted = expectedOf(typeOf(column), next);
    const { value, ...rest } = condition;
    const kept = wanted !== undefined && wanted === expected ? value : wanted && INITIAL_VALUES[wanted];
    edit(path, { ...rest, column, is: next, ...(kept !== undefined && { value: kept }) });
  }

  return (
    <>
      <ChoiceValue
        path={[...path, 'column']}
        label="Column"
        options={columnOptions(document, entity)}
        onChoose={(column) => choose(column, is)}
      />
      <ChoiceValue
        path={[...path, 'is']}
        label="Condition"
        options={CONDITIONS.filter(({ value }) => (CONDITIONS_OF_TYPE[type] ?? COMPARISONS).includes(value))}
        onChoose={(next) => choose(textAt(condition, ['column']), next)}
      />
      {expected !== undefined && <ComparedValue path={[...path, 'value']} expected={expected} />}
    </>
  );
}

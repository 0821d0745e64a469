import { CONNECTOR_BOUNDS, type ConnectorProblem, type ConnectorTrialResult } from '@datadeck/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useTryConnectorMutation } from './connectors-api.ts';
import { isMembers, listAt, membersAt, type Path, textAt, valueAt } from './document/document-text.ts';
import { TrialResult } from './trial-result.tsx';

type Values = Record<string, string>;

/** A field of the connect form or a setting, as the document declares it. */
interface DeclaredField {
  name: string;
  label: string;
  tip: string;
  placeholder: string;
  defaultValue: string;
  isRequired: boolean;
  isHidden: boolean;
}

function declaredAt(document: unknown, path: Path): DeclaredField[] {
  return listAt(document, path)
    .filter(isMembers)
    .map((field) => declaredOf(field))
    .filter(({ name }) => name !== '');
}

const declaredOf = (field: Record<string, unknown>): DeclaredField => ({
  name: textAt(field, ['name']),
  label: textAt(field, ['label']) || textAt(field, ['name']),
  tip: textAt(field, ['tip']),
  placeholder: textAt(field, ['placeholder']),
  defaultValue: textAt(field, ['defaultValue']),
  isRequired: field.required !== false,
  isHidden: field.hidden === true,
});

/** Returns the values of the declared fields only. */
const valuesOf = (fields: readonly DeclaredField[], given: Values): Values =>
  Object.fromEntries(fields.map(({ name, defaultValue }) => [name, given[name] ?? defaultValue]));

interface FieldBoxesProps {
  fields: readonly DeclaredField[];
  values: Values;
  onChange: (values: Values) => void;
}

function FieldBoxes({ fields, values, onChange }: FieldBoxesProps) {
  return fields.map(({ name, label, tip, placeholder, defaultValue, isRequired, isHidden }) => (
    <TextField
      key={name}
      label={label}
      required={isRequired}
      {...(isHidden && { type: 'password', autoComplete: 'new-password' })}
      spellCheck={false}
      autoCapitalize="off"
      maxLength={CONNECTOR_BOUNDS.value}
      placeholder={placeholder}
      hint={tip === '' ? undefined : tip}
      value={values[name] ?? defaultValue}
      onChange={({ target }) => onChange({ ...values, [name]: target.value })}
    />
  ));
}

/** Secrets, and the address for which they were entered. */
interface Entered {
  secret: string;
  /** Values of hidden fields. */
  hidden: Values;
  address: string;
}
const NOTHING: Entered = { secret: '', hidden: {}, address: '' };

/** Says what a trial found, for those who do not see it. */
function spokenOf({ answer, records, problems }: ConnectorTrialResult): string {
  const found = answer === null ? 'No answer came' : `Try read ${countOf(records.count, 'record')}`;
  return problems.length === 0 ? `${found}.` : `${found}, ${countOf(problems.length, 'problem')}.`;
}

interface TryPanelProps {
  connectorKey: string;
  document: unknown;
  text: string;
  /** Whether the text can be read. */
  isReadable: boolean;
  edit: (path: Path, value: unknown) => void;
  onProblems: (problems: readonly ConnectorProblem[]) => void;
  onGo: (path: string) => void;
}

/** Requests one page of an entity from the real API. Values and the secret stay in this component, and are gone with it. */
export function TryPanel({
  connectorKey,
  document,
  text,
  isReadable,
  edit,
  onProblems,
  onGo,
}: TryPanelProps) {
  const [entity, setEntity] = useState('');
  const [config, setConfig] = useState<Values>({});
  const [settings, setSettings] = useState<Values>({});
  const [entered, setEntered] = useState<Entered>(NOTHING);
  // Secrets are sent only to the address for which they were entered.
  const address = JSON.stringify([textAt(document, ['baseUrl']), valueAt(document, ['authentication'])]);
  const { secret, hidden } = entered.address === address ? entered : NOTHING;
  const setSecret = (value: string) => setEntered({ secret: value, hidden, address });
  const setHidden = (values: Values) => setEntered({ secret, hidden: values, address });
  const [result, setResult] = useState<{ entity: string; trial: ConnectorTrialResult }>();
  const [attempt, { isLoading, error }] = useTryConnectorMutation();
  const entities = listAt(document, ['entities']).map((one) => ({
    value: textAt(one, ['id']),
    label: textAt(one, ['title']) || textAt(one, ['id']),
  }));
  const index = Math.max(
    0,
    entities.findIndex(({ value }) => value === entity),
  );
  const chosen = entities[index];
  const fields = declaredAt(document, ['connect', 'fields']);
  const shownFields = fields.filter(({ isHidden }) => !isHidden);
  const hiddenFields = fields.filter(({ isHidden }) => isHidden);
  const options = declaredAt(document, ['entities', index, 'settings']);
  const kind = textAt(document, ['authentication', 'kind']);
  const needsSecret = kind !== 'none';
  const secretField = declaredOf(membersAt(document, ['connect', 'secret']));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!chosen || isLoading) return;
    const { data } = await attempt({
      key: connectorKey,
      trial: {
        document: text,
        entity: chosen.value,
        config: { ...valuesOf(shownFields, config), ...valuesOf(hiddenFields, hidden) },
        settings: valuesOf(options, settings),
        secret: needsSecret ? secret : '',
      },
    });
    if (!data) return;
    setResult({ entity: chosen.value, trial: data });
    onProblems(data.problems);
  }

  let outcome: ReactNode = null;
  if (error !== undefined && !isLoading) outcome = <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>;
  else if (result)
    outcome = (
      <TrialResult
        trial={result.trial}
        onGo={onGo}
        taken={Object.keys(membersAt(document, ['entities', index, 'columns']))}
        onAdd={
          isReadable && result.entity === chosen?.value
            ? ({ name, type, value }) => edit(['entities', index, 'columns', name], { type, value })
            : undefined
        }
      />
    );

  return (
    <div className="@container flex flex-col gap-4">
      <Card>
        <form
          aria-label="Try"
          noValidate
          autoComplete="off"
          className="flex flex-col gap-4"
          onSubmit={(event) => void submit(event)}
        >
          <p className="text-13 text-ink-2">
            Requests one page from the real API with the document as it is in the editor, saved or not.
          </p>
          <div className="grid gap-4 @min-[34rem]:grid-cols-2">
            <ChoiceField label="Entity" value={chosen?.value ?? ''} options={entities} onChange={setEntity} />
            <FieldBoxes fields={shownFields} values={config} onChange={setConfig} />
            <FieldBoxes fields={hiddenFields} values={hidden} onChange={setHidden} />
            {needsSecret && (
              <TextField
                label={kind === 'oauth-code' ? 'Access token' : secretField.label || 'Secret'}
                type="password"
                autoComplete="new-password"
                maxLength={CONNECTOR_BOUNDS.value}
                value={secret}
                hint={
                  kind === 'refresh-token'
                    ? 'Used for this request only. It is not stored: where the service replaces refresh tokens, get a new one afterwards.'
                    : 'Used for this request only. It is not stored.'
                }
                onChange={({ target }) => setSecret(target.value)}
              />
            )}
            <FieldBoxes fields={options} values={settings} onChange={setSettings} />
          </div>
          <div>
            <Button
              type="submit"
              variant="primary"
              busy={isLoading}
              disabled={isLoading || !chosen || !isReadable}
              title={isReadable ? undefined : 'The document cannot be read. Correct it first.'}
            >
              {isLoading ? 'Requesting…' : 'Request a page'}
            </Button>
          </div>
        </form>
      </Card>
      <p aria-live="polite" className="sr-only">
        {isLoading ? 'Requesting a page.' : result && error === undefined ? spokenOf(result.trial) : ''}
      </p>
      {outcome}
    </div>
  );
}

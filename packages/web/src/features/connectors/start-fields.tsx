import { CONNECTOR_BOUNDS, type Connectors } from '@datadeck/contract';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { MAX_STARTED_KEY } from './connector-words.ts';
import type { Start } from './starts.ts';

/** What a person enters to start a connector. */
export interface StartInput {
  key: string;
  title: string;
  address: string;
  /** How the request of an address signs in, and with what; `header` has a key. */
  access: 'none' | 'bearer' | 'header';
  header: string;
  secret: string;
  answer: string;
  description: string;
  manifest: string;
  /** Key of the shipped document. */
  shipped: string;
  text: string;
}

/** The input before anything is entered. */
export const NO_INPUT: StartInput = {
  key: '',
  title: '',
  address: '',
  access: 'none',
  header: '',
  secret: '',
  answer: '',
  description: '',
  manifest: '',
  shipped: '',
  text: '',
};

interface FileChoiceProps {
  /** Maximum length of the text, UTF-16 units. */
  maxLength: number;
  onText: (text: string) => void;
}

/** Most bytes of a character, so that a file of unreadable size is not read at all. */
const MAX_CHARACTER_BYTES = 4;

/** Reads JSON or YAML from a file. */
function FileChoice({ maxLength, onText }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  async function read(file: File) {
    const text = file.size > MAX_CHARACTER_BYTES * maxLength ? undefined : await file.text();
    if (text === undefined || text.length > maxLength)
      return setProblem(`${file.name} has more than ${maxLength.toLocaleString('en')} characters.`);
    setProblem(undefined);
    onText(text);
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <input
        ref={input}
        type="file"
        aria-label="File"
        hidden
        accept=".json,.yaml,.yml,application/json,application/yaml"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
          // The same file may be chosen again after it was changed.
          target.value = '';
        }}
      />
      <Button size="sm" icon={<Upload size={14} />} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      {problem !== undefined && (
        <span role="alert" className="wrap-anywhere text-12 text-error-text">
          {problem}
        </span>
      )}
    </div>
  );
}

interface StartFieldsProps {
  start: Start;
  input: StartInput;
  /** Messages by field. */
  errors: Readonly<Record<string, string>>;
  shipped: Connectors['shipped'];
  /** Maximum length of a pasted text, UTF-16 units. */
  maxLength: number;
  onChange: (changes: Partial<StartInput>) => void;
}

const CODE = 'font-mono text-12';

/** Length from which a pasted text is set as a whole: browsers take minutes to insert thousands of lines into a text box. */
const LONG_PASTE = 20_000;

const ACCESS = [
  { value: 'none', label: 'None, or a key in the address' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'header', label: 'Key in a header' },
] as const;

/** The fields of one way to start. */
export function StartFields({ start, input, errors, shipped, maxLength, onChange }: StartFieldsProps) {
  const options = shipped.map(({ key, title }) => ({ value: key, label: title }));
  const key = (
    <TextField
      label="Key"
      required
      spellCheck={false}
      autoCapitalize="off"
      maxLength={MAX_STARTED_KEY}
      className="font-mono"
      value={input.key}
      error={errors.key}
      hint="Part of addresses, and the beginning of the ids of its entities. It cannot be changed later."
      onChange={({ target }) => onChange({ key: target.value })}
    />
  );
  const named = (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Title"
        required
        data-autofocus
        maxLength={80}
        placeholder="Help desk"
        value={input.title}
        error={errors.title}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      {key}
    </div>
  );
  const address = (hint: string) => (
    <TextField
      label="Address"
      required
      type="url"
      spellCheck={false}
      maxLength={CONNECTOR_BOUNDS.address}
      placeholder="https://helpdesk.example.com/api/tickets?per_page=100"
      value={input.address}
      error={errors.address}
      hint={hint}
      onChange={({ target }) => onChange({ address: target.value })}
    />
  );
  const area = (name: 'answer' | 'description' | 'manifest' | 'text', label: string, placeholder: string) => (
    <TextArea
      label={label}
      required
      rows={10}
      spellCheck={false}
      autoCapitalize="off"
      maxLength={maxLength}
      placeholder={placeholder}
      className={CODE}
      value={input[name]}
      error={errors[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain');
        if (pasted.length < LONG_PASTE) return;
        event.preventDefault();
        const { value, selectionStart, selectionEnd } = event.currentTarget;
        onChange({ [name]: value.slice(0, selectionStart) + pasted + value.slice(selectionEnd) });
      }}
    />
  );
  switch (start) {
    case 'example':
      return (
        <>
          {named}
          {address('Without a token or password. They are asked for when an account is connected.')}
          {area('answer', 'Answer', '{ "items": [{ "id": 1, "subject": "…" }] }')}
        </>
      );
    case 'address':
      return (
        <>
          {named}
          {address('The whole address of a list, with its parameters.')}
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceField
              label="Sign-in"
              value={input.access}
              options={ACCESS}
              onChange={(access) => onChange({ access })}
            />
            {input.access === 'header' && (
              <TextField
                label="Header"
                required
                spellCheck={false}
                autoCapitalize="off"
                maxLength={100}
                placeholder="x-api-key"
                className="font-mono"
                value={input.header}
                error={errors.header}
                onChange={({ target }) => onChange({ header: target.value })}
              />
            )}
            {input.access !== 'none' && (
              <TextField
                label={input.access === 'bearer' ? 'Token' : 'API key'}
                type="password"
                required
                autoComplete="new-password"
                maxLength={CONNECTOR_BOUNDS.value}
                value={input.secret}
                error={errors.secret}
                hint="Used for this request only. It is not stored."
                onChange={({ target }) => onChange({ secret: target.value })}
              />
            )}
          </div>
          {input.access === 'none' && errors.secret !== undefined && (
            <NoticeLine tone="error">{errors.secret} Choose how the request signs in.</NoticeLine>
          )}
        </>
      );
    case 'openapi':
      return (
        <>
          {key}
          {area('description', 'OpenAPI description', 'openapi: 3.1.0')}
          <FileChoice maxLength={maxLength} onText={(description) => onChange({ description })} />
        </>
      );
    case 'manifest':
      return (
        <>
          {named}
          {area('manifest', 'Manifest', 'type: DeclarativeSource')}
          <FileChoice maxLength={maxLength} onText={(manifest) => onChange({ manifest })} />
        </>
      );
    case 'shipped':
      return (
        <>
          <Select
            label="Connector"
            required
            options={options}
            value={options.find(({ value }) => value === input.shipped) ?? null}
            error={errors.shipped}
            onChange={(option) =>
              onChange({
                shipped: option?.value ?? '',
                ...(input.key === '' && option && { key: `my-${option.value}` }),
              })
            }
          />
          {key}
        </>
      );
    case 'document':
      return (
        <>
          {area('text', 'Document', '{ "version": 1, "key": "…" }')}
          <FileChoice maxLength={maxLength} onText={(text) => onChange({ text })} />
        </>
      );
  }
}

import { type ReactNode, useState } from 'react';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Switch } from '../../../ui/switch.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { Path } from '../document/document-text.ts';
import { useField } from './form-context.ts';
import { GrowingText } from './growing-text.tsx';

interface ValueProps {
  path: Path;
  label: string;
  hint?: ReactNode;
}

interface TextValueProps extends ValueProps {
  required?: boolean;
  /** Shows it as code on one line, such as a name or a path. */
  isCode?: boolean;
  /** Shows it as code with line breaks. */
  isExpression?: boolean;
  /** Lines of an empty box; one by default. */
  rows?: number;
  placeholder?: string;
  isLabelHidden?: boolean;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A text of the document. An empty one is removed unless it is required. */
export function TextValue({
  path,
  label,
  hint,
  required = false,
  isCode = false,
  isExpression = false,
  rows = 1,
  placeholder,
  isLabelHidden,
}: TextValueProps) {
  const { at, value, problem, set } = useField(path);
  const text = asText(value);
  const change = (next: string) => set(next === '' && !required ? undefined : next);
  // A one-line box would join the lines that the document has. It stays a larger one while they are edited.
  const [hadLines, setHadLines] = useState(false);
  const hasLines = hadLines || text.includes('\n');
  if (hasLines !== hadLines) setHadLines(hasLines);
  const box = { label, isLabelHidden, hint, required, placeholder, value: text, error: problem };
  return (
    <div data-path={at} className="min-w-0">
      {isExpression || rows > 1 || hasLines ? (
        <GrowingText {...box} isCode={isCode || isExpression} rows={rows} onChange={change} />
      ) : (
        <TextField
          {...box}
          isLabelHidden={isLabelHidden === true}
          spellCheck={!isCode}
          autoCapitalize={isCode ? 'off' : undefined}
          className={classNames(isCode && 'font-mono text-12!')}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </div>
  );
}

interface NumberValueProps extends ValueProps {
  required?: boolean;
  placeholder?: string;
}

/** A whole number of the document; empty removes it. */
export function NumberValue({ path, label, hint, required = false, placeholder }: NumberValueProps) {
  const { at, value, problem, set } = useField(path);
  return (
    <div data-path={at} className="min-w-0">
      <TextField
        label={label}
        hint={hint}
        required={required}
        placeholder={placeholder}
        inputMode="numeric"
        value={asText(value)}
        error={problem}
        className="tabular-nums"
        onChange={({ target }) => {
          const text = target.value.trim();
          set(text === '' ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : text);
        }}
      />
    </div>
  );
}

interface ChoiceValueProps extends ValueProps {
  options: readonly { value: string; label: string }[];
  /** What the choice is without a value; choosing it removes the value. */
  none?: string;
  isLabelHidden?: boolean;
  /** Called instead of setting the value. */
  onChoose?: (value: string) => void;
}

/** A choice of the document. A value that is not offered is shown as it is. */
export function ChoiceValue({ path, label, hint, options, none, isLabelHidden, onChoose }: ChoiceValueProps) {
  const { at, value, problem, set } = useField(path);
  const text = asText(value);
  const offered = none === undefined ? options : [{ value: '', label: none }, ...options];
  const shown = offered.some((option) => option.value === text)
    ? offered
    : [...offered, { value: text, label: text === '' ? 'Choose' : text }];
  return (
    <div data-path={at} className="min-w-0">
      <ChoiceField
        label={label}
        {...(isLabelHidden && { isLabelHidden })}
        hint={hint}
        value={text}
        options={shown}
        error={problem}
        onChange={(next) => (onChoose ? onChoose(next) : set(next === '' ? undefined : next))}
      />
    </div>
  );
}

/** A yes or no of the document. @param initial what holds without a value; choosing it removes the value */
export function SwitchValue({ path, label, initial }: ValueProps & { initial: boolean }) {
  const { at, value, set } = useField(path);
  return (
    <div data-path={at}>
      <Switch
        label={label}
        checked={typeof value === 'boolean' ? value : initial}
        onChange={(checked) => set(checked === initial ? undefined : checked)}
      />
    </div>
  );
}

/** A list of words of the document, separated by spaces; without words it is removed. */
export function WordsValue({ path, label, hint }: ValueProps) {
  const { at, value, problem, set } = useField(path);
  const shown = Array.isArray(value) ? value.join(' ') : asText(value);
  // Spaces at the end stay while a word follows.
  const [typed, setTyped] = useState(shown);
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const text = wordsOf(typed).join(' ') === shown ? typed : shown;
  return (
    <div data-path={at} className="min-w-0">
      <TextField
        label={label}
        hint={hint}
        spellCheck={false}
        autoCapitalize="off"
        className="font-mono text-12!"
        value={text}
        error={problem}
        onChange={({ target }) => {
          setTyped(target.value);
          const words = wordsOf(target.value);
          set(words.length === 0 ? undefined : words);
        }}
      />
    </div>
  );
}

/** A list of sentences of the document, one on each line; without sentences it is removed. */
export function LinesValue({ path, label, hint }: ValueProps) {
  const { at, value, problem, set } = useField(path);
  const shown = Array.isArray(value) ? value.join('\n') : asText(value);
  // Empty lines stay while a sentence follows.
  const [typed, setTyped] = useState(shown);
  const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
  const text = linesOf(typed).join('\n') === shown ? typed : shown;
  return (
    <div data-path={at} className="min-w-0">
      <GrowingText
        label={label}
        hint={hint}
        required={false}
        error={problem}
        isCode={false}
        rows={2}
        value={text}
        onChange={(next) => {
          setTyped(next);
          const lines = linesOf(next);
          set(lines.length === 0 ? undefined : lines);
        }}
      />
    </div>
  );
}

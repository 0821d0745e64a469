import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import ReactSelect, { createFilter, type StylesConfig } from 'react-select';
import { cspNonce } from './csp-nonce.ts';
import { Field } from './field.tsx';

export interface Option {
  value: string;
  label: string;
}

const nonce = cspNonce();
/** Emotion's styles carry the page's nonce. */
const cache = createCache({ key: 'select', ...(nonce !== '' && { nonce }) });

/** What is typed is looked for in what is shown, not in the ids behind it. */
const byLabel = createFilter<Option>({ stringify: ({ label }) => label });

const ICON = { width: 16, height: 16 };

const styles: StylesConfig<Option, false> = {
  control: (base, { isFocused, isDisabled }) => ({
    ...base,
    minHeight: 32,
    borderRadius: 6,
    borderColor: isFocused ? 'var(--accent-text)' : isDisabled ? 'var(--line)' : 'var(--control)',
    boxShadow: isFocused ? '0 0 0 1px var(--accent-text)' : 'none',
    background: isDisabled ? 'var(--sunken)' : 'var(--surface)',
    fontSize: 13,
    cursor: 'pointer',
    ':hover': { borderColor: 'var(--ink-3)' },
  }),
  valueContainer: (base) => ({ ...base, padding: '0 10px' }),
  input: (base) => ({ ...base, margin: 0, padding: 0, color: 'var(--ink)' }),
  singleValue: (base, { isDisabled }) => ({ ...base, color: isDisabled ? 'var(--ink-3)' : 'var(--ink)' }),
  placeholder: (base) => ({ ...base, color: 'var(--ink-3)' }),
  indicatorSeparator: () => ({ display: 'none' }),
  dropdownIndicator: (base) => ({ ...base, padding: 7, color: 'var(--ink-3)', '& svg': ICON }),
  clearIndicator: (base) => ({ ...base, padding: 4, color: 'var(--ink-3)', '& svg': ICON }),
  menu: (base) => ({
    ...base,
    zIndex: 30,
    borderRadius: 10,
    background: 'var(--raised)',
    boxShadow: 'var(--elevation-high)',
    overflow: 'hidden',
  }),
  menuList: (base) => ({ ...base, padding: 4 }),
  option: (base, { isFocused, isSelected }) => ({
    ...base,
    borderRadius: 6,
    padding: '6px 8px',
    fontSize: 13,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    color: isSelected ? 'var(--accent-text)' : 'var(--ink)',
    background: isFocused ? 'var(--hover)' : isSelected ? 'var(--accent-soft)' : 'transparent',
    ':active': { background: 'var(--hover)' },
    '@media (forced-colors: active)': {
      outline: isFocused ? '2px solid Highlight' : 'none',
      outlineOffset: -2,
    },
  }),
  noOptionsMessage: (base) => ({ ...base, fontSize: 13, color: 'var(--ink-3)' }),
};

export interface SelectProps {
  label: string;
  value: Option | null;
  options: readonly Option[];
  onChange: (option: Option | null) => void;
  onBlur?: () => void;
  placeholder?: string;
  clearable?: boolean;
  disabled?: boolean;
  /** The focus of a dialog begins here. */
  startsFocused?: boolean;
  error?: string | undefined;
  /** What an empty list says. */
  emptyText?: string | undefined;
}

/** A select control with search, at the library's specified defaults. */
export function Select({
  label,
  value,
  options,
  onChange,
  onBlur,
  placeholder = 'Select...',
  clearable = false,
  disabled = false,
  startsFocused = false,
  error,
  emptyText = 'No options',
}: SelectProps) {
  return (
    <Field label={label} error={error}>
      {({ id }) => (
        <CacheProvider value={cache}>
          <div data-autofocus={startsFocused || undefined}>
            <ReactSelect<Option, false>
              inputId={id}
              aria-label={label}
              aria-invalid={error !== undefined}
              value={value}
              options={options}
              onChange={onChange}
              onBlur={() => onBlur?.()}
              placeholder={placeholder}
              isClearable={clearable}
              isDisabled={disabled}
              maxMenuHeight={300}
              pageSize={5}
              menuPlacement="auto"
              filterOption={byLabel}
              noOptionsMessage={() => emptyText}
              styles={styles}
            />
          </div>
        </CacheProvider>
      )}
    </Field>
  );
}

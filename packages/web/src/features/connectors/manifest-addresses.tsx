import { CONNECTOR_BOUNDS, type ManifestAddress } from '@datadeck/contract';
import { useEffect, useRef } from 'react';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** Values by their places in the configuration of a manifest. */
export type AddressValues = Readonly<Record<string, string>>;

const WORDS: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

interface ManifestAddressesProps {
  addresses: readonly ManifestAddress[];
  values: AddressValues;
  onChange: (values: AddressValues) => void;
}

/** Asks for the values on which the addresses of a manifest depend. */
export function ManifestAddresses({ addresses, values, onChange }: ManifestAddressesProps) {
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  return (
    <fieldset ref={fields} className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 text-13 text-ink-2">
        The address of this service depends on {addresses.length === 1 ? 'this value' : 'these values'}, which
        the connector keeps: all accounts use the same address.
      </legend>
      {addresses.map(({ path, label, tip, choices, example }) => {
        const value = values[path] ?? '';
        const change = (next: string) => onChange({ ...values, [path]: next });
        const known = value === '' || choices.includes(value) ? choices : [...choices, value];
        return choices.length > 0 ? (
          <ChoiceField
            key={path}
            label={label}
            hint={tip}
            value={value}
            options={[...(value === '' ? [''] : []), ...known].map((one) => ({
              value: one,
              label: WORDS[one] ?? (one || 'Not set'),
            }))}
            onChange={change}
          />
        ) : (
          <TextField
            key={path}
            label={label}
            hint={tip}
            spellCheck={false}
            autoCapitalize="off"
            maxLength={CONNECTOR_BOUNDS.value}
            placeholder={example}
            value={value}
            onChange={({ target }) => change(target.value)}
          />
        );
      })}
    </fieldset>
  );
}

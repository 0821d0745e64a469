import { type Setting, type SettingValues, type UserEntity, validateSettings } from '@datadeck/contract';
import { CircleHelp } from 'lucide-react';
import { Controller, type Resolver, type UseFormReturn, useForm } from 'react-hook-form';
import { formatCount } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { ValueChoices } from './value-choices.tsx';

/** Returns the form's initial values: those of the last sync, or else the defaults. */
export function initialValues({ settings, lastSettings }: UserEntity): SettingValues {
  return Object.fromEntries(
    settings.map((setting) => {
      const fallback = setting.type === 'boolean' ? String(setting.isChecked) : setting.defaultValue;
      return [setting.propKey, lastSettings?.[setting.propKey] ?? fallback];
    }),
  );
}

/**
 * The form of an entity's settings, validated on change and on submit with the contract's own function. Values are not used,
 * and may be empty, while the source has scopes of its own.
 */
export function useSettingsForm(
  entity: EntityInAccount,
  values?: SettingValues,
): UseFormReturn<SettingValues> {
  const resolver: Resolver<SettingValues> = (entered) => {
    if (entity.account?.source) return { values: entered, errors: {} };
    const messages = validateSettings(entity.settings, entered);
    const errors = Object.fromEntries(
      Object.entries(messages).map(([key, message]) => [key, { type: 'value', message }]),
    );
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: entered, errors: {} };
  };
  return useForm<SettingValues>({
    mode: 'onChange',
    resolver,
    defaultValues: { ...initialValues(entity), ...values },
  });
}

interface SettingFieldProps {
  setting: Setting;
  entity: UserEntity;
  form: UseFormReturn<SettingValues>;
  isReadOnly: boolean;
  onHelp: (() => void) | undefined;
}

function SettingField({ setting, entity, form, isReadOnly, onHelp }: SettingFieldProps) {
  const error = form.formState.errors[setting.propKey]?.message;
  const names = entity.valueNames?.[setting.propKey];
  const hint = error === 'Invalid Pattern' ? setting.errorText : setting.tip;
  return (
    <Controller
      name={setting.propKey}
      control={form.control}
      render={({ field }) =>
        setting.type === 'boolean' ? (
          <div className="flex flex-col gap-1">
            <Switch
              label={setting.label}
              checked={field.value === 'true'}
              disabled={isReadOnly || setting.disabled}
              onChange={(checked) => field.onChange(String(checked))}
            />
            {setting.tip !== '' && <p className="text-12 text-ink-3">{setting.tip}</p>}
          </div>
        ) : (
          <div className="flex flex-col gap-1">
            <TextField
              label={setting.label}
              name={field.name}
              ref={field.ref}
              value={field.value ?? ''}
              onChange={field.onChange}
              onBlur={field.onBlur}
              placeholder={setting.placeholder}
              required={setting.required && !isReadOnly}
              disabled={isReadOnly || setting.disabled}
              error={error}
              aside={
                onHelp && (
                  <IconButton
                    size="sm"
                    label={`Example for ${setting.label}`}
                    icon={<CircleHelp size={14} />}
                    onClick={onHelp}
                  />
                )
              }
            />
            {hint !== '' && <p className="text-12 text-ink-3">{hint}</p>}
            {names && (
              <ValueChoices
                title={entity.dependsOn[0]?.title ?? 'Values'}
                names={names}
                value={field.value ?? ''}
                isDisabled={isReadOnly || setting.disabled}
                onChange={field.onChange}
              />
            )}
          </div>
        )
      }
    />
  );
}

interface GeneralSettingProps {
  label: string;
  isOn: boolean;
}

/** A general setting as words: a switch that cannot be used. */
function GeneralSetting({ label, isOn }: GeneralSettingProps) {
  return (
    <button type="button" role="switch" aria-label={label} aria-checked={isOn} disabled>
      {label} {isOn ? 'on' : 'off'}
    </button>
  );
}

/** The general settings in one line; none of them can be changed. */
function GeneralSettings({ isMulti, cap }: { isMulti: boolean; cap: SettingsFormProps['cap'] }) {
  const limit = cap === undefined || cap === null ? 'No limit' : formatCount(cap);
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-12 text-ink-3">
      <GeneralSetting label="Overwrite" isOn />
      <GeneralSetting label="Many" isOn={isMulti} />
      <label className="flex gap-1">
        Limit
        <input value={limit} size={limit.length} readOnly disabled className="bg-transparent tabular-nums" />
      </label>
    </div>
  );
}

interface SettingsFormProps {
  id: string;
  entity: UserEntity;
  /** Maximum number of records that a sync keeps; none for no limit. */
  cap: number | null | undefined;
  form: UseFormReturn<SettingValues>;
  isReadOnly: boolean;
  /** Leaves out the fields of the settings, because a list of scopes is read instead. */
  hidesFields?: boolean;
  onSubmit: (values: SettingValues) => void;
  /** Opens an example for a setting. Without it, no help buttons are shown. */
  onHelp?: ((setting: Setting) => void) | undefined;
}

/** The general settings (display only) and the entity's own settings. */
export function SettingsForm(props: SettingsFormProps) {
  const { id, entity, cap, form, isReadOnly, hidesFields = false, onSubmit, onHelp } = props;
  const settings = hidesFields ? [] : entity.settings;
  return (
    <form id={id} noValidate onSubmit={form.handleSubmit(onSubmit)} className="flex flex-col gap-4">
      <GeneralSettings isMulti={entity.multi} cap={cap} />
      {settings.map((setting) => (
        <SettingField
          key={setting.id}
          setting={setting}
          entity={entity}
          form={form}
          isReadOnly={isReadOnly}
          onHelp={!isReadOnly && onHelp ? () => onHelp(setting) : undefined}
        />
      ))}
    </form>
  );
}

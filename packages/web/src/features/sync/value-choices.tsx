import type { UserEntity } from '@datadeck/contract';
import { idsOf } from './ids-of.ts';

interface ValueChoicesProps {
  title: string;
  names: NonNullable<UserEntity['valueNames']>[string];
  /** Chosen ids, separated by commas. */
  value: string;
  isDisabled: boolean;
  onChange: (value: string) => void;
}

/** Boxes that add and remove the ids of a setting by their names. */
export function ValueChoices({ title, names, value, isDisabled, onChange }: ValueChoicesProps) {
  const chosen = idsOf(value);
  return (
    <fieldset className="min-w-0" disabled={isDisabled}>
      <legend className="mb-1.5 text-12 text-ink-2">{title} by name</legend>
      <div className="grid max-h-40 grid-cols-[repeat(auto-fill,minmax(min(12rem,100%),1fr))] gap-x-4 gap-y-1 overflow-y-auto rounded-sm border p-2">
        {names.map(({ id, name }) => (
          <label key={id} title={id} className="flex min-h-6 min-w-0 items-center gap-2 text-13">
            <input
              type="checkbox"
              className="accent-accent"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange((target.checked ? [...chosen, id] : chosen.filter((one) => one !== id)).join(','))
              }
            />
            <bdi className="truncate">{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

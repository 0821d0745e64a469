import type { EntityInAccount } from './entity-account.ts';
import { scopeTitle } from './source-words.ts';

interface SomeScopesProps {
  entity: EntityInAccount;
  /** Names and patterns of the source. */
  scopes: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Boxes that limit the runs of a schedule to some scopes of its source; none checked means all of them. */
export function SomeScopes({ entity, scopes, chosen, onChange }: SomeScopesProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium text-ink-2">
        Only some {entity.scopes?.many} <span className="font-normal text-ink-3">(optional)</span>
      </legend>
      <div className="grid max-h-40 grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-4 gap-y-1 overflow-y-auto rounded-sm border p-2">
        {scopes.map((text) => (
          <label key={text} className="flex min-h-6 min-w-0 items-center gap-2 text-13">
            <input
              type="checkbox"
              className="accent-accent"
              checked={chosen.includes(text)}
              onChange={({ target }) =>
                // In the order of the source.
                onChange(scopes.filter((one) => (one === text ? target.checked : chosen.includes(one))))
              }
            />
            <bdi title={scopeTitle(text, entity)} className="truncate">
              {scopeTitle(text, entity)}
            </bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

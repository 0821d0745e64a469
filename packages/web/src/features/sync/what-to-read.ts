import type { Schedule, SettingValues, StartSync, UserEntity } from '@datadeck/contract';
import type { EntityInAccount } from './entity-account.ts';
import { valueInWords } from './scope-words.ts';
import { scopesInWords, sourceInWords } from './source-words.ts';

type WhatToRead = Pick<StartSync, 'entitySettings' | 'scopes'>;

/** Returns what a sync is asked to read: the scopes of the source, if some were chosen, else what the form's values select. */
export function whatToRead({ account }: EntityInAccount, entitySettings: SettingValues): WhatToRead {
  return account?.source ? { scopes: [] } : { entitySettings };
}

/** Describes the settings of scheduled runs: `aurora-labs / harbor`. */
function settingsText({ settings, valueNames }: UserEntity, values: SettingValues): string {
  return settings
    .map(({ propKey }) => valueInWords(propKey, values, valueNames))
    .filter(Boolean)
    .join(' / ');
}

/** Describes what the runs of a schedule read: `aurora-labs / harbor`, or the scopes of the source. */
export function whatInWords(entity: EntityInAccount, { entitySettings, scopes }: WhatToRead): string {
  if (!scopes) return settingsText(entity, entitySettings ?? {});
  if (scopes.length > 0) return scopesInWords(scopes, entity);
  const source = entity.account?.source;
  return source ? sourceInWords(source, entity) : `the chosen ${entity.scopes?.many ?? ''}`;
}

/** Returns whether the runs of a schedule read something else than a sync that is started now. */
export function isOtherRead(entity: EntityInAccount, schedule: Schedule, values: SettingValues): boolean {
  if (entity.account?.source) return schedule.scopes?.length !== 0;
  if (schedule.scopes) return true;
  return entity.settings.some(({ propKey }) => (schedule.entitySettings[propKey] ?? '') !== values[propKey]);
}

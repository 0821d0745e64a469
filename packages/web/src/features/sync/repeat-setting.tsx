import type { SaveSchedule, Schedule, SettingValues } from '@datadeck/contract';
import type { UseFormReturn } from 'react-hook-form';
import { sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { toasts } from '../../ui/toast.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { LimitRemedy } from './limit-remedy.tsx';
import { costSentence, exceedsPlan, nextSentence } from './schedule-words.ts';
import { useSaveScheduleMutation } from './schedules-api.ts';
import { isOtherRead, whatInWords, whatToRead } from './what-to-read.ts';

const OPTIONS = [
  { value: 'off', label: 'Off' },
  { value: 'hourly', label: 'Hourly' },
  { value: 'daily', label: 'Daily' },
] as const satisfies { value: SaveSchedule['every']; label: string }[];

interface RepeatSettingProps {
  entity: EntityInAccount;
  /** The schedules of the entity. */
  schedules: readonly Schedule[];
  /** The form whose values are the settings of the scheduled runs. */
  form: UseFormReturn<SettingValues>;
}

function useSave({ entity, form }: RepeatSettingProps) {
  const [save, { isLoading, error }] = useSaveScheduleMutation();
  async function set(every: SaveSchedule['every']) {
    // Validate the form first, so that invalid settings show at their fields, as on a start.
    if (every !== 'off' && !(await form.trigger())) return;
    const { error: failure } = await save({
      providerId: entity.providerId,
      entityLabel: entity.id,
      account: entity.account?.account,
      every,
      ...whatToRead(entity, form.getValues()),
    });
    if (failure) toasts.error('The schedule was not saved');
    else if (every === 'off') toasts.success('The schedule was turned off');
    else toasts.success(every === 'hourly' ? 'An hourly schedule was set' : 'A daily schedule was set');
  }
  return { set, isLoading, error };
}

/** Finds the schedule with an interval, of which an entity has one at most. */
function findInterval(schedules: readonly Schedule[]): Schedule | null {
  return schedules.find(({ every }) => every !== 'cron') ?? null;
}

/** The 'Repeat' setting: the interval of an entity, its next run, and its share of the monthly runs. */
export function RepeatSetting(props: RepeatSettingProps) {
  const { entity, form } = props;
  const schedule = findInterval(props.schedules);
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { set, isLoading, error } = useSave(props);
  const every = OPTIONS.find(({ value }) => value === schedule?.every)?.value ?? 'off';
  const values = form.watch();
  const isOther = schedule !== null && isOtherRead(entity, schedule, values);
  return (
    <div className="flex flex-col gap-3 border-t pt-4" title={forbidden}>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
        <div className="flex flex-col gap-1.5">
          <span aria-hidden="true" className="text-13 font-medium text-ink-2">
            Repeat
          </span>
          <Segmented
            label="Repeat"
            options={OPTIONS}
            value={every}
            disabled={!mayChange || isLoading}
            onChange={(chosen) => void set(chosen)}
          />
        </div>
        <div aria-live="polite" className="flex min-h-8 min-w-0 flex-1 basis-64 flex-col justify-center">
          {schedule && <p className="text-13 font-medium tabular-nums">{nextSentence(schedule)}</p>}
          {!exceedsPlan(every, entity) && <p className="text-12 text-ink-3">{costSentence(every, entity)}</p>}
        </div>
      </div>
      {exceedsPlan(every, entity) && (
        <NoticeLine tone="error">
          {costSentence(every, entity)} <LimitRemedy />
        </NoticeLine>
      )}
      {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      {schedule && isOther && (
        <div className="flex flex-wrap items-center gap-3 text-12 text-ink-2">
          <span className="min-w-0 break-words">
            The scheduled runs use different settings from those above:{' '}
            {whatInWords(entity, schedule) || 'none'}.
          </span>
          <Button
            size="sm"
            busy={isLoading}
            disabled={!mayChange || isLoading}
            onClick={() => void set(every)}
          >
            Use the settings above
          </Button>
        </div>
      )}
    </div>
  );
}

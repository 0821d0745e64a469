import type { Schedule, SettingValues } from '@datadeck/contract';
import { type FormEvent, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import type { EntityInAccount } from './entity-account.ts';
import { LimitRemedy } from './limit-remedy.tsx';
import { NextTimes } from './next-times.tsx';
import { type ChosenTimes, cronLineOf, type ScheduleKind } from './schedule-times.ts';
import { excessInWords, runsInWords } from './schedule-words.ts';
import { useCreateScheduleMutation, useTimetableQuery } from './schedules-api.ts';
import { SomeScopes } from './some-scopes.tsx';
import { whatInWords, whatToRead } from './what-to-read.ts';

const KINDS = [
  { value: 'hourly', label: 'Hourly' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekdays', label: 'Weekdays' },
  { value: 'cron', label: 'Cron line' },
] as const satisfies { value: ScheduleKind; label: string }[];
/** Time after the last key until the next times are asked for, ms. */
const SETTLE_MS = 300;

interface TimesFieldProps {
  times: ChosenTimes;
  error: string | undefined;
  onChange: (change: Partial<ChosenTimes>) => void;
}

/** The field of the chosen kind: a minute, a time of a day or a cron line. */
function TimesField({ times, error, onChange }: TimesFieldProps) {
  if (times.kind === 'cron')
    return (
      <TextField
        label="Cron line"
        required
        className="font-mono"
        placeholder="30 7 * * 1-5"
        maxLength={100}
        spellCheck={false}
        hint="Minute, hour, day of the month, month, day of the week"
        error={error}
        value={times.line}
        onChange={({ target }) => onChange({ line: target.value })}
      />
    );
  if (times.kind === 'hourly')
    return (
      <TextField
        label="Minute of the hour"
        required
        inputMode="numeric"
        maxLength={2}
        error={error}
        value={times.minute}
        onChange={({ target }) => onChange({ minute: target.value.replace(/\D/g, '') })}
      />
    );
  return (
    <TextField
      label="Time"
      required
      type="time"
      error={error}
      value={times.time}
      onChange={({ target }) => onChange({ time: target.value })}
    />
  );
}

/** Asks for the next times of a cron line once its user has stopped typing. */
function useTimetable(cron: string, timeZone: string) {
  const [settled] = useSettled(`${cron}\n${timeZone}`, SETTLE_MS);
  const [line = '', zone = ''] = settled.split('\n');
  const isWaiting = line === '' || cron !== line || timeZone !== zone;
  const { currentData, error } = useTimetableQuery({ cron: line, timeZone: zone }, { skip: line === '' });
  return isWaiting ? {} : { timetable: currentData, error };
}

interface ScheduleFormProps {
  entity: EntityInAccount;
  /** All schedules of the entity. */
  schedules: readonly Schedule[];
  /** The form whose values are the settings of the schedule's runs. */
  form: UseFormReturn<SettingValues>;
  onClose: () => void;
}

function useScheduleForm({ entity, form, onClose }: ScheduleFormProps) {
  const [times, setTimes] = useState<ChosenTimes>({ kind: 'daily', minute: '0', time: '07:30', line: '' });
  const ownTimeZone = useTimeZone();
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const [create, { isLoading, error, reset }] = useCreateScheduleMutation();
  const [isMissing, setIsMissing] = useState(false);
  const [some, setSome] = useState<readonly string[]>([]);
  const cron = cronLineOf(times);
  const what = (values: SettingValues) => ({
    ...whatToRead(entity, values),
    ...(entity.account?.source && { scopes: [...some] }),
  });
  function change<T>(set: (value: T) => void): (value: T) => void {
    return (value) => {
      reset();
      setIsMissing(false);
      set(value);
    };
  }
  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsMissing(cron === '');
    // Validate the settings above first, so that invalid ones show at their fields, as on a start.
    if (cron === '' || !(await form.trigger())) return;
    const { id: entityLabel, providerId } = entity;
    const account = entity.account?.account;
    const request = { providerId, entityLabel, account, cron, timeZone, ...what(form.getValues()) };
    const { error: failure } = await create(request);
    if (failure) return;
    toasts.success('The schedule was added');
    onClose();
  }
  return {
    times,
    cron,
    timeZone,
    setTimes: change((part: Partial<ChosenTimes>) => setTimes({ ...times, ...part })),
    setTimeZone: change(setTimeZone),
    what,
    some,
    setSome: change(setSome),
    submit,
    isLoading,
    isMissing,
    error,
  };
}

/** The form that adds a schedule: its times and time zone, with a preview. Its runs have the settings above. */
export function ScheduleForm(props: ScheduleFormProps) {
  const { entity, schedules, form, onClose } = props;
  const { times, cron, timeZone, isLoading, error, ...state } = useScheduleForm(props);
  const { timetable, error: wrong } = useTimetable(cron, timeZone);
  const excess = timetable ? excessInWords(timetable.runsPerMonth, schedules, entity) : '';
  const fields = errorOf(error)?.fields ?? errorOf(wrong)?.fields ?? {};
  const timesError = state.isMissing ? 'Required' : (fields.cron ?? (excess === '' ? undefined : excess));
  const settings = whatInWords(entity, state.what(form.watch()));
  const isAtField = fields.cron !== undefined || fields.timeZone !== undefined;
  const failure = error ?? wrong;
  return (
    <form
      noValidate
      aria-label="New schedule"
      onSubmit={(event) => void state.submit(event)}
      className="flex flex-col gap-4 rounded-md border p-4"
    >
      <div>
        <Segmented
          label="Times"
          options={KINDS}
          value={times.kind}
          onChange={(kind) => state.setTimes({ kind })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TimesField times={times} error={timesError} onChange={state.setTimes} />
        <TimeZoneSelect required value={timeZone} onChange={state.setTimeZone} error={fields.timeZone} />
      </div>
      {entity.account?.source && (
        <SomeScopes
          entity={entity}
          scopes={entity.account.source.scopes}
          chosen={state.some}
          onChange={state.setSome}
        />
      )}
      {excess !== '' && (
        <p className="text-12 text-ink-2">
          <LimitRemedy />
        </p>
      )}
      <div aria-live="polite" className="flex min-h-9 flex-col gap-1">
        {timetable && (
          <>
            <NextTimes times={timetable.nextTimes} />
            <p className="text-12 text-ink-3">
              {[
                runsInWords(timetable.runsPerMonth, entity),
                settings && (entity.account?.source ? settings : `with ${settings}`),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </>
        )}
      </div>
      {failure !== undefined && !isAtField && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" type="submit" variant="primary" busy={isLoading} disabled={isLoading}>
          Save schedule
        </Button>
      </div>
    </form>
  );
}

import type { Schedule, SettingValues } from '@datadeck/contract';
import { CalendarPlus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { NextTimes } from './next-times.tsx';
import { timesInWords } from './schedule-times.ts';
import { blockedSentence, runsInWords } from './schedule-words.ts';
import { useDeleteScheduleMutation } from './schedules-api.ts';
import { whatInWords } from './what-to-read.ts';

const ScheduleForm = lazy(async () => ({
  default: await fetchCode(async () => (await import('./schedule-form.tsx')).ScheduleForm),
}));

function ScheduleItem({ schedule, entity }: { schedule: Schedule; entity: EntityInAccount }) {
  const mayChange = useMayChange();
  const [remove, { isLoading }] = useDeleteScheduleMutation();
  const title = timesInWords(schedule);
  const settings = whatInWords(entity, schedule);
  async function ask() {
    if (!(await confirmDeletion('Delete schedule', `${title}: no runs will start at these times.`))) return;
    const { error } = await remove(schedule._id ?? '');
    if (error) toasts.error('The schedule was not deleted');
    else toasts.success('The schedule was deleted');
  }
  return (
    <li className="flex items-start gap-2 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="wrap-anywhere text-13 font-medium">{title}</p>
        <p className="wrap-anywhere text-12 text-ink-3">
          {[settings, runsInWords(schedule.runsPerMonth, entity)].filter((text) => text !== '').join(' · ')}
        </p>
        {schedule.blockedReason !== null && (
          <p className="text-12 text-error-text">{blockedSentence(schedule.blockedReason)}</p>
        )}
        <NextTimes times={schedule.nextTimes} />
      </div>
      <IconButton
        size="sm"
        label={`Delete: ${title}`}
        icon={<Trash2 size={14} />}
        disabled={!mayChange || isLoading}
        onClick={() => void ask()}
      />
    </li>
  );
}

interface CronSchedulesProps {
  entity: EntityInAccount;
  /** All schedules of the entity. */
  schedules: readonly Schedule[];
  /** The form whose values are the settings of a new schedule's runs. */
  form: UseFormReturn<SettingValues>;
}

/** The schedules of an entity at times that the user chose, and the form that adds one. */
export function CronSchedules({ entity, schedules, form }: CronSchedulesProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [isAdding, setIsAdding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const shown = schedules.filter(({ every }) => every === 'cron');
  function close() {
    setIsAdding(false);
    button.current?.focus();
  }
  return (
    <section aria-label="Schedules" className="flex flex-col gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 className="text-13 font-medium text-ink-2">Schedules</h4>
        <Button
          ref={button}
          size="sm"
          icon={<CalendarPlus size={14} />}
          aria-expanded={isAdding}
          disabled={!mayChange}
          title={forbidden}
          onClick={() => setIsAdding(!isAdding)}
        >
          Add schedule
        </Button>
      </div>
      {isAdding && (
        <Suspense fallback={<LoadingRows rows={3} words="Loading" />}>
          <ScheduleForm entity={entity} schedules={schedules} form={form} onClose={close} />
        </Suspense>
      )}
      {shown.length > 0 && (
        <ul className="flex flex-col">
          {shown.map((schedule) => (
            <ScheduleItem key={schedule._id} schedule={schedule} entity={entity} />
          ))}
        </ul>
      )}
      {shown.length === 0 && !isAdding && (
        <p className="text-12 text-ink-3">
          Runs can also start at times of a day, on weekdays, or by a cron line, in a time zone.
        </p>
      )}
    </section>
  );
}

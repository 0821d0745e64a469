import { dayIn, startOfDay } from '@datadeck/contract';
import { useMemo } from 'react';
import { useTimeZone } from '../../features/sign-in/use-time-zone.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import { AttentionCard } from './attention-card.tsx';
import { LastViewsCard } from './last-views-card.tsx';
import { NewsCard } from './news-card.tsx';
import { Pictures } from './pictures.tsx';

const DAY_MS = 86_400_000;

/** Returns the first instant of yesterday in a time zone, ISO. It changes at midnight, not with each rendering. */
function useYesterday(timeZone: string): string {
  const today = dayIn(new Date(), timeZone);
  return useMemo(
    () => startOfDay(new Date(Date.parse(today) - DAY_MS), timeZone).toISOString(),
    [today, timeZone],
  );
}

/** The Home screen: what is new since yesterday, what waits for the user, the last views, and pictures of all data. */
export function HomeScreen() {
  const timeZone = useTimeZone();
  const since = useYesterday(timeZone);
  return (
    <>
      <PageHeader
        title="Home"
        description={`What is new since yesterday, and what needs you. Days begin at midnight in ${timeZone}.`}
      />
      <FirstSteps />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <NewsCard since={since} />
        <div className="flex min-w-0 flex-col gap-4">
          <AttentionCard />
          <LastViewsCard />
        </div>
      </div>
      <Pictures />
    </>
  );
}

import type { Chart, UserEntity } from '@datadeck/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { QueryPicture } from '../../features/charts/chart-of-query.tsx';
import { useProvidersQuery } from '../../features/connections/connections-api.ts';
import { useEntitiesQuery } from '../../features/sync/sync-api.ts';
import { RecordsPerSource, SyncsOverTime } from '../../features/sync/sync-pictures.tsx';
import { useTemplatesQuery } from '../../features/templates/templates-api.ts';
import { Card } from '../../ui/card.tsx';

/** Rows of mails with the time at which they arrived. */
const ARRIVALS = '$.{ "received": receivedAt ? receivedAt : date }';
const BY_HOUR: Chart = { kind: 'heat-map', x: 'received', measure: 'count', unit: 'mails' };
const REVIEWS = { providerId: 'github', entity: 'gh-pulls', templateKey: 'pulls-waiting' } as const;
const BY_REVIEWER: Chart = {
  kind: 'bars',
  x: 'reviewer',
  measure: 'count',
  order: 'value',
  top: 10,
  unit: 'pull requests',
};

const recordsOf = ({ accounts }: UserEntity) => accounts.reduce((sum, { records }) => sum + records, 0);

/** A card with a picture, and a link to where its numbers are. */
function Picture({ title, to, children }: { title: string; to: string; children: ReactNode }) {
  return (
    <Card
      title={title}
      actions={
        <Link
          to={to}
          aria-label={`Open ${title}`}
          className="rounded-sm text-13 text-accent-text hover:underline touch:py-2.5"
        >
          Open
        </Link>
      }
    >
      {children}
    </Card>
  );
}

function MailsByHour({ entity: { id, providerId } }: { entity: UserEntity }) {
  const { data } = useTemplatesQuery({ providerId, entityLabel: id });
  const template = data?.find(({ isOfRecords }) => isOfRecords);
  if (!template) return null;
  const { templateKey } = template;
  const address = withSearch(PATHS.query, { provider: providerId, entity: id, template: template.id });
  return (
    <Picture title="Mails by weekday and hour" to={address}>
      <QueryPicture
        query={{ entity: id, templateKey, expression: ARRIVALS }}
        title="Mails by weekday and hour"
        chart={BY_HOUR}
        isTile
      />
    </Picture>
  );
}

/** Pictures of what is synchronized: syncs over time, records per source, when mails arrive, and reviews that wait. */
export function Pictures() {
  const { data: entities = [] } = useEntitiesQuery();
  const { data: providers = [] } = useProvidersQuery();
  const filled = entities.filter((entity) => recordsOf(entity) > 0);
  const mails = filled.filter(({ isMail }) => isMail).sort((a, b) => recordsOf(b) - recordsOf(a))[0];
  const hasPulls = filled.some(({ id }) => id === REVIEWS.entity);
  if (filled.length === 0) return null;
  const { providerId, entity, templateKey } = REVIEWS;
  return (
    <section aria-label="Pictures" className="mt-4 grid items-start gap-4 lg:grid-cols-2">
      <Picture title="Synchronizations over time" to={PATHS.history}>
        <SyncsOverTime />
      </Picture>
      <Picture title="Records per source" to={PATHS.syncs}>
        <RecordsPerSource entities={filled} providers={providers} />
      </Picture>
      {mails && <MailsByHour entity={mails} />}
      {hasPulls && (
        <Picture
          title="Reviews that wait"
          to={withSearch(PATHS.query, { provider: providerId, entity, template: templateKey })}
        >
          <QueryPicture
            query={{ entity, templateKey, expression: '$' }}
            title="Reviews that wait"
            chart={BY_REVIEWER}
            isTile
          />
        </Picture>
      )}
    </section>
  );
}

import { type AlertDelivery, PAGE_SIZES } from '@datadeck/contract';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { CHANNEL_WORDS, changesText, DELIVERY_DOTS } from './alert-words.ts';
import { useAlertDeliveriesQuery } from './alerts-api.ts';

function Delivery({ delivery }: { delivery: AlertDelivery }) {
  const { channel, status, outcome, createdAt } = delivery;
  return (
    <li className="flex gap-3 border-b px-3 py-2 last:border-b-0">
      <span className="flex h-5 items-center">
        <StatusDot {...DELIVERY_DOTS[status]} />
      </span>
      <div className="min-w-0 flex-1 text-13">
        <p className="wrap-anywhere">
          <span className="font-medium">{CHANNEL_WORDS[channel]}</span> · {changesText(delivery)}
        </p>
        <p className="wrap-anywhere text-12 text-ink-3">
          <DateTime iso={createdAt} className="tabular-nums" />
          {outcome !== null && ` · ${outcome}`}
        </p>
      </div>
    </li>
  );
}

/** The deliveries of an alert with their outcomes, newest first. */
export function DeliveryList({ alertId }: { alertId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useAlertDeliveriesQuery({ alert: alertId, page });
  const total = pageCount(data?.count ?? 0, PAGE_SIZES.results);
  if (!data && error !== undefined)
    return <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />;
  if (!data) return <LoadingRows rows={3} />;
  if (data.count === 0) return <p className="text-13 text-ink-3">Nothing has been sent yet.</p>;
  return (
    <div className="flex flex-col gap-2">
      <ul className="rounded-md border">
        {data.results.map((delivery) => (
          <Delivery key={delivery._id} delivery={delivery} />
        ))}
      </ul>
      {total > 1 && (
        <Pagination
          label="Pages of deliveries"
          page={clampPage(page, total)}
          total={total}
          onChange={(next) => {
            if (!isFetching) setPage(next);
          }}
        />
      )}
    </div>
  );
}

import { PageHeader } from '../../ui/page-header.tsx';

/** History. */
export function HistoryPage() {
  return <PageHeader title="History" />;
}

import { PageHeader } from '../../ui/page-header.tsx';

/** Views. */
export function ViewsPage() {
  return <PageHeader title="Views" />;
}

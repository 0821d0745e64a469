/** The thread that reads pages of pull requests. */
import { servePages } from '../sdk/page-thread-main.ts';
import { pullRecord } from './pull-record.ts';

servePages((element, repository) => {
  const { data: _, shared: __, ...record } = pullRecord(element, String(repository));
  return record;
});

import type { Alert } from '@datadeck/contract';
import { sentenceOf } from '../../api/failure.ts';
import { toasts } from '../../ui/toast.tsx';
import { useTestAlertMutation } from './alerts-api.ts';

/** Returns a function that sends a test by all channels of an alert and says how it went. */
export function useSendTest({ _id: id }: Pick<Alert, '_id'>) {
  const [test, { isLoading }] = useTestAlertMutation();
  async function send(rows: 'example' | 'current') {
    const { data, error } = await test({ id, rows });
    const failed = data?.filter(({ status }) => status === 'failed') ?? [];
    if (error) toasts.error(sentenceOf(error));
    else if (failed.length > 0) toasts.error(`A test was not delivered: ${failed[0]?.outcome ?? ''}`);
    else toasts.success('The test was delivered');
  }
  return { send, isSending: isLoading };
}

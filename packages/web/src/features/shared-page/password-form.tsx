import { LockKeyhole } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ShareNotice } from './share-notice.tsx';

interface PasswordFormProps {
  /** Why the last password did not open the page. */
  error: unknown;
  /** Whether the page was open before. */
  hasExpired: boolean;
  onSubmit: (password: string) => Promise<void>;
}

/** Returns the seconds that are left of a wait, which begins with each error. */
function useSecondsLeft(error: unknown): number {
  const known = errorOf(error);
  const wait = known?.code === 'rate-limited' ? Math.ceil(known.retryAfter ?? 0) : 0;
  const [passed, setPassed] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another error begins another wait
  useEffect(() => {
    setPassed(0);
    if (wait === 0) return undefined;
    const start = Date.now();
    const timer = setInterval(() => setPassed(Math.floor((Date.now() - start) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return Math.max(0, wait - passed);
}

function problemOf(error: unknown): string {
  const code = errorOf(error)?.code;
  if (code === 'password-wrong') return 'This is not the password of this page.';
  return code === 'rate-limited'
    ? 'There were too many attempts. Wait before the next one.'
    : sentenceOf(error);
}

/** Asks for the password of a shared page. */
export function PasswordForm({ error, hasExpired, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [isSending, setIsSending] = useState(false);
  const secondsLeft = useSecondsLeft(error);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (password === '' || isSending || secondsLeft > 0) return;
    setIsSending(true);
    await onSubmit(password);
    setIsSending(false);
  }
  return (
    <ShareNotice
      icon={LockKeyhole}
      title="This page has a password"
      hint={
        hasExpired
          ? 'It closes an hour after it was opened. Enter the password again to continue.'
          : 'Enter the password that you got from the person who sent the link.'
      }
      action={
        <form
          noValidate
          onSubmit={(event) => void submit(event)}
          className="flex w-80 flex-col gap-3 text-left"
        >
          <TextField
            label="Password"
            type="password"
            autoComplete="off"
            autoFocus
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
          {error !== undefined && !isSending && <NoticeLine tone="error">{problemOf(error)}</NoticeLine>}
          <Button
            type="submit"
            variant="primary"
            busy={isSending}
            disabled={password === '' || isSending || secondsLeft > 0}
          >
            {secondsLeft > 0 ? `Try again in ${formatDuration(secondsLeft)}` : 'Open the page'}
          </Button>
        </form>
      }
    />
  );
}

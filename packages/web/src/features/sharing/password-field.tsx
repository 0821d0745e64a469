import { SHARE_LIMITS } from '@datadeck/contract';
import { type ComponentProps, useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';

/** A box for a new password, which can be shown. */
export function PasswordField(props: ComponentProps<typeof TextField>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      spellCheck={false}
      maxLength={SHARE_LIMITS.password[1]}
      aside={
        <button
          type="button"
          aria-label={isShown ? 'Hide the password' : 'Show the password'}
          className="rounded-sm text-12 text-ink-3 hover:text-ink touch:min-h-10"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}

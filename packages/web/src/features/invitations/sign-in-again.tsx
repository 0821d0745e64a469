import { useDispatch } from 'react-redux';
import { Button } from '../../ui/button.tsx';
import { useLogoutMutation } from '../sign-in/accounts-api.ts';
import { signedOut } from '../sign-in/auth-slice.ts';

/** Signs a demo user out. The login screen then returns to this invitation. */
export function SignInAgain() {
  const dispatch = useDispatch();
  const [logout, { isLoading }] = useLogoutMutation();
  async function leave() {
    await logout();
    dispatch(signedOut());
  }
  return (
    <Button size="lg" busy={isLoading} disabled={isLoading} onClick={() => void leave()}>
      Sign in with an account
    </Button>
  );
}

import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useUser } from '../sign-in/use-user.ts';
import { Loaded } from './loaded.tsx';

interface AdministratorsOnlyProps {
  /** Shown above the notice. */
  header?: ReactNode;
  /** Rendered for administrators only. */
  children: ReactNode;
}

/** Shows a screen to administrators, and to everybody else whom to ask. */
export function AdministratorsOnly({ header, children }: AdministratorsOnlyProps) {
  const load = useUser();
  const { data: user } = load;
  if (user?.isAdministrator) return children;
  return (
    <>
      {header}
      <Card flush>
        {user === undefined ? (
          <Loaded load={load} rows={5}>
            {() => null}
          </Loaded>
        ) : (
          <EmptyState
            icon={<ShieldAlert size={20} />}
            title="This screen is for administrators"
            hint="The operator of this server can make you one with the command datadeck users --admin."
          />
        )}
      </Card>
    </>
  );
}

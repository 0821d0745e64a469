import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useUser } from '../sign-in/use-user.ts';
import { Loaded } from './loaded.tsx';

/** Shows a screen to administrators, and everybody else whom to ask. The children are rendered for administrators only. */
export function AdministratorsOnly({ children }: { children: ReactNode }) {
  const load = useUser();
  const { data: user } = load;
  if (user?.isAdministrator) return children;
  return (
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
  );
}

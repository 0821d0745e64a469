import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router';
import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { AdministratorsOnly } from './administrators-only.tsx';
import { AuditSection } from './audit-section.tsx';
import { DoctorSection } from './doctor-section.tsx';
import { HealthSection } from './health-section.tsx';
import { PlansSection } from './plans-section.tsx';

const SECTIONS = {
  accounts: { label: 'Accounts', Content: AccountsSection },
  plans: { label: 'Plans', Content: PlansSection },
  health: { label: 'Health', Content: HealthSection },
  doctor: { label: 'Doctor', Content: DoctorSection },
  audit: { label: 'Audit log', Content: AuditSection },
} as const satisfies Record<string, { label: string; Content: ComponentType }>;
type Section = keyof typeof SECTIONS;

const isSection = (text: string | null): text is Section => text !== null && Object.hasOwn(SECTIONS, text);
const OPTIONS = (Object.keys(SECTIONS) as Section[]).map((value) => ({
  value,
  label: SECTIONS[value].label,
}));

function Sections() {
  const [params, setParams] = useSearchParams();
  const named = params.get('section');
  const section = isSection(named) ? named : 'accounts';
  const { Content } = SECTIONS[section];
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Segmented
          label="Section"
          value={section}
          options={OPTIONS}
          onChange={(next) => setParams(next === 'accounts' ? {} : { section: next })}
        />
      </div>
      <Content />
    </div>
  );
}

/** The Administration screen. The server refuses its calls to everybody else. */
export function AdminPage() {
  return (
    <>
      <PageHeader
        title="Administration"
        description="Accounts with their counts, plans, and the state of this server. It never shows what other people store."
      />
      <AdministratorsOnly>
        <Sections />
      </AdministratorsOnly>
    </>
  );
}

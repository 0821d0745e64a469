import {
  BellRing,
  Boxes,
  ChartPie,
  Clock3,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  Plug,
  RefreshCw,
  Search,
  SquareTerminal,
} from 'lucide-react';
import { PATHS } from '../../address/paths.ts';

export interface NavItem {
  title: string;
  path: string;
  icon: LucideIcon;
  /** The item is shown but cannot be opened. */
  isBlocked?: boolean;
}

export interface NavGroup {
  title: string;
  icon: LucideIcon;
  items: NavItem[];
}

/** The entries of the sidebar. */
export const NAVIGATION: NavGroup[] = [
  {
    title: 'Integrations',
    icon: Boxes,
    items: [
      { title: 'Providers', path: PATHS.providers, icon: Plug },
      { title: 'Synchronizations', path: PATHS.syncs, icon: RefreshCw },
      { title: 'History', path: PATHS.history, icon: Clock3 },
    ],
  },
  {
    title: 'Data Management',
    icon: ChartPie,
    items: [
      { title: 'Search', path: PATHS.search, icon: Search },
      { title: 'Query', path: PATHS.query, icon: SquareTerminal },
      { title: 'Views', path: PATHS.views, icon: Layers },
      { title: 'Boards', path: PATHS.boards, icon: LayoutDashboard },
      { title: 'Alerts', path: PATHS.alerts, icon: BellRing },
    ],
  },
];

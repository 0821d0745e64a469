import { describe, expect, it } from 'vitest';
import { PROVIDER, SYNC } from '../../../test-support/objects.ts';
import type { Provider, Sync } from '../../api/models.ts';
import { computeOverview } from './overview.ts';

const provider = (key: string, isConnected: boolean): Provider => ({
  ...PROVIDER,
  id: key,
  key,
  title: key.toUpperCase(),
  entities: [{ id: `${key}-a`, title: 'A' }],
  isConnected,
});

const sync = (id: string, status: Sync['status'], updatedAt: string): Sync => ({
  ...SYNC,
  id,
  providerId: 'one',
  entityLabel: 'one-a',
  status,
  createdAt: updatedAt,
  updatedAt,
});

const EARLY = '2026-11-01T10:00:00.000Z';
const LATE = '2026-11-02T10:00:00.000Z';

describe('computeOverview', () => {
  // @covers 2.synchronizations-grouped-provider
  it('lists the entities of connected providers only, by provider title', () => {
    const overview = computeOverview([provider('one', true), provider('two', false)], []);
    expect(Object.keys(overview)).toEqual(['ONE']);
  });

  // @covers 3.overview-row-missing 3.overview-row-nine
  it('uses empty strings for missing values', () => {
    expect(computeOverview([provider('one', true)], [])['ONE']).toEqual([
      {
        entityLabel: 'one-a',
        entityLabelTitle: 'A',
        providerId: 'one',
        currentSyncId: '',
        currentSyncStatus: '',
        currentSyncUpdatedAt: '',
        lastSyncId: '',
        lastSyncStatus: '',
        lastSyncUpdatedAt: '',
      },
    ]);
  });

  // @covers 3.overview-row-missing
  it.each([
    [
      'a running first sync',
      'started',
      { currentSyncId: 'x', currentSyncStatus: 'started', currentSyncUpdatedAt: EARLY },
    ],
    ['no running sync', 'failed', { lastSyncId: 'x', lastSyncStatus: 'failed', lastSyncUpdatedAt: EARLY }],
  ] as const)('leaves the values of the other sync empty with %s', (_, status, known) => {
    const [row] = computeOverview([provider('one', true)], [sync('x', status, EARLY)])['ONE'] ?? [];
    expect(row).toEqual({
      entityLabel: 'one-a',
      entityLabelTitle: 'A',
      providerId: 'one',
      currentSyncId: '',
      currentSyncStatus: '',
      currentSyncUpdatedAt: '',
      lastSyncId: '',
      lastSyncStatus: '',
      lastSyncUpdatedAt: '',
      ...known,
    });
  });

  it('leaves values empty when the syncs belong to other entities and providers', () => {
    const others = [
      { ...sync('a', 'finished', EARLY), entityLabel: 'one-b' },
      { ...sync('b', 'started', EARLY), providerId: 'two' },
    ];
    const [row] = computeOverview([provider('one', true)], others)['ONE'] ?? [];
    expect([row?.currentSyncId, row?.lastSyncId]).toEqual(['', '']);
  });

  // @covers 1.per-provider-overview 4.overview-most-recent
  it('uses the latest started sync as current and the latest ended one as last', () => {
    const syncs = [
      sync('old-run', 'started', EARLY),
      sync('new-run', 'started', LATE),
      sync('old-end', 'finished', EARLY),
      sync('new-end', 'failed', LATE),
    ];
    expect(computeOverview([provider('one', true)], syncs)['ONE']?.[0]).toMatchObject({
      currentSyncId: 'new-run',
      currentSyncStatus: 'started',
      currentSyncUpdatedAt: LATE,
      lastSyncId: 'new-end',
      lastSyncStatus: 'failed',
      lastSyncUpdatedAt: LATE,
    });
  });
});

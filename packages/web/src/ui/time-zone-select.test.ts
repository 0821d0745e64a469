import { describe, expect, it } from 'vitest';
import { timeZones } from './time-zone-select.tsx';

describe('timeZones', () => {
  it('lists the zones of the browser and those given, once', () => {
    const zones = timeZones('UTC', 'Europe/Berlin');
    expect(zones).toContain('UTC');
    expect(zones.filter((zone) => zone === 'Europe/Berlin')).toHaveLength(1);
  });
});

import { Gauge, type Registry } from 'prom-client';
import type { DiskSpace } from './disk-space.ts';

/**
 * Exports the free space and the size of the disk of the embedded database.
 * @param embedded undefined for a database of another machine: then both have no value
 */
export function exportDiskSpace(registry: Registry, embedded: { diskSpace(): DiskSpace } | undefined): void {
  const addGauge = (name: string, help: string, value: (space: DiskSpace) => number) =>
    new Gauge({
      name,
      help,
      // Without a label a gauge starts with the value 0, which would look like a full disk.
      labelNames: ['disk'],
      registers: [registry],
      collect() {
        this.reset();
        if (embedded === undefined) return;
        try {
          this.set({ disk: 'database' }, value(embedded.diskSpace()));
        } catch {
          // The folder is missing; the other metrics are still worth reading.
        }
      },
    });
  addGauge('datadeck_disk_free_bytes', 'Free space on the disk of the embedded database', ({ free }) => free);
  addGauge('datadeck_disk_size_bytes', 'Size of the disk of the embedded database', ({ size }) => size);
}

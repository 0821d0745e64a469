import pg from 'pg';
import { OMITTED_TABLES } from '../src/app/backup.ts';
import { recreateRecordTable } from '../src/features/records/index.ts';
import { restoreBackup } from '../src/platform/backup/index.ts';
import { parseSecretKey } from '../src/platform/encryption.ts';

/** Restores a backup and kills this process when all rows are stored, before they are committed. */
const [file = '', url = '', key = ''] = process.argv.slice(2);
await restoreBackup(new pg.Pool({ connectionString: url }), file, {
  keys: { key: parseSecretKey(key, 'BACKUP_KEY') },
  omittedTables: OMITTED_TABLES,
  createFurtherTable: recreateRecordTable,
  beforeCommit: () => process.kill(process.pid, 'SIGKILL'),
});

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ProbeOutcomes, ProbeTargets } from '../../../test-support/isolation-probe.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { SOURCE_CODE } from './child-code.ts';
import { hasNoNetwork, startIsolated } from './isolated-process.ts';

const PROBE = fileURLToPath(new URL('../../../test-support/isolation-probe.ts', import.meta.url));

describe('startIsolated', () => {
  it('denies files, processes, users and the network', async () => {
    const folder = makeTemporaryFolder('datadeck-isolation-');
    const targets: ProbeTargets = { port: 0, socket: join(folder, 'socket'), file: join(folder, 'secret') };
    writeFileSync(targets.file, 'secret');
    const [tcp, unix] = [createServer(), createServer()];
    tcp.listen(0, '127.0.0.1');
    unix.listen(targets.socket);
    await Promise.all([once(tcp, 'listening'), once(unix, 'listening')]);
    targets.port = (tcp.address() as { port: number }).port;

    const child = startIsolated({ ...SOURCE_CODE, module: PROBE }, []);

    try {
      child.send(targets);
      const [outcomes] = (await once(child, 'message')) as [ProbeOutcomes];
      const denied = 'ERR_ACCESS_DENIED';
      expect(outcomes).toMatchObject({
        child: denied,
        worker: denied,
        read: denied,
        write: denied,
        environment: expect.not.stringMatching(/PATH|HOME|KEY|DATABASE/),
      });
      expect(outcomes.code).toMatch(/Code generation from strings disallowed/);
      for (const name of ['fetch', 'signalParent', 'builtin'])
        expect(outcomes[name], name).not.toMatch(/^done/);
      // Network isolation depends on the system.
      if (hasNoNetwork()) expect([outcomes.tcp, outcomes.interfaces]).toEqual(['ENETUNREACH', '0']);
      if (process.getuid?.() === 0)
        expect(outcomes).toMatchObject({
          uid: '64321',
          groups: '64321',
          unixSocket: 'EACCES',
        });
    } finally {
      child.kill('SIGKILL');
      tcp.close();
      unix.close();
      removeDataFolder(folder);
    }
  });
});

/** A thread for tests whose tasks misbehave as requested. */
import { getPriority } from 'node:os';
import { serveTasks } from '../src/sdk/task-thread-main.ts';

/** Blocks the thread without using the processor. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

serveTasks({
  run(task) {
    if (task === 'spin') for (;;);
    if (task === 'fill') {
      const all: string[][] = [];
      for (;;) all.push(Array.from({ length: 100_000 }, (_, index) => `${all.length} ${index}`));
    }
    if (task === 'throw') throw Object.assign(new Error('x'.repeat(100_000)), { code: 'ODD' });
    if (typeof task === 'object' && task !== null && 'blockMs' in task) block(Number(task.blockMs));
    return { value: task === 'priority' ? getPriority() : task };
  },
});

/** The worker thread that compares results with snapshots. */
import { serveTasks } from '@datadeck/connectors/task-thread-main';
import { compareResult, type ResultToCompare } from './compare-result.ts';

serveTasks({ run: (task) => ({ value: compareResult(task as ResultToCompare) }) });

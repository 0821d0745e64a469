/** The worker thread that draws charts. */
import { serveTasks } from '@datadeck/connectors/task-thread-main';
import { type ChartTask, drawChart } from './draw-chart.ts';

serveTasks({ run: (task) => ({ value: drawChart(task as ChartTask) }) });

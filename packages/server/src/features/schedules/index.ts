export { SCHEDULE_QUEUE } from './queue.ts';
export { deleteSchedules, listSchedules, saveSchedule } from './store.ts';
export { workOnSchedules } from './worker.ts';

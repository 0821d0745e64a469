export { deleteSchedules, listSchedules, saveSchedule } from './store.ts';
export { ScheduleWorker } from './worker.ts';

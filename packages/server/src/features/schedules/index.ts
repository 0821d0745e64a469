export { SCHEDULE_QUEUE } from './queue.ts';
export { deleteSchedules, listSchedules, saveSchedule } from './store.ts';
export { nextTimeAfter } from './timetable.ts';
export { workOnSchedules } from './worker.ts';

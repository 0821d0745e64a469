export { SCHEDULE_QUEUE } from './queue.ts';
export { changeSchedule, createSchedule, deleteSchedule, saveSchedule } from './save-schedule.ts';
export { deleteSchedules, listSchedules } from './store.ts';
export { firstCronTime, nextTimeAfter, readTimetable } from './timetable.ts';
export { workOnSchedules } from './worker.ts';

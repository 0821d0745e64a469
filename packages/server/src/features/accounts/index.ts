export { type AuthAttempt, beginAttempt, deleteExpiredAttempts, takeAttempt } from './auth-attempts.ts';
export {
  announceSessionsEnd,
  closeSession,
  deleteExpiredSessions,
  findSessionUser,
  onSessionEnd,
  openSession,
  SESSION_DAYS,
} from './sessions.ts';
export {
  closeAccount,
  createDemoUser,
  deleteUser,
  findIdleDemoUsers,
  findOrCreateUser,
  findUser,
  holdAccount,
  listUsers,
  setPlan,
  toProfile,
  type User,
} from './users.ts';

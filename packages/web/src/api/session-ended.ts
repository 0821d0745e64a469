import { createAction } from '@reduxjs/toolkit';

/** The server has said that it no longer knows the session, by another way than a call of the cache. */
export const sessionEnded = createAction('sessionEnded');

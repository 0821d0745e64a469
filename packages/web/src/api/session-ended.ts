import { createAction } from '@reduxjs/toolkit';

/** Dispatched when the server rejects the session outside RTK Query, such as in the event stream. */
export const sessionEnded = createAction('sessionEnded');

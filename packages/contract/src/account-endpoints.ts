import { diskUseSchema, profileChangeSchema, profileSchema } from './accounts.ts';
import { defineEndpoints, okSchema } from './endpoint.ts';

/** Endpoints for the account of the user. */
export const ACCOUNT_ENDPOINTS = defineEndpoints({
  profile: {
    method: 'GET',
    path: '/api/accounts',
    summary: 'Current user',
    access: 'user',
    response: profileSchema,
  },
  updateProfile: {
    method: 'PUT',
    path: '/api/accounts',
    summary: 'Change time zone, name or address of the current user',
    access: 'user',
    body: profileChangeSchema,
    response: okSchema,
  },
  diskUse: {
    method: 'GET',
    path: '/api/accounts/disk-use',
    summary: 'Stored records by entity, and about how much disk space they take',
    access: 'user',
    response: diskUseSchema,
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/api/accounts/delete-account',
    summary: 'Delete the account and all its data',
    access: 'change',
    response: okSchema,
  },
  deleteAllData: {
    method: 'DELETE',
    path: '/api/accounts/delete-data',
    summary: 'Delete all data, keep the account',
    access: 'change',
    response: okSchema,
  },
});

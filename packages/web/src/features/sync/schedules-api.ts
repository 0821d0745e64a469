import { ENDPOINTS, type SaveSchedule, type Schedule as WireSchedule } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';
import { type Schedule, toSchedule } from '../../api/wire.ts';

interface SaveRequest extends SaveSchedule {
  providerId: string;
  entityLabel: string;
}

const schedulesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    schedules: build.query<Schedule[], void>({
      query: () => callOf('schedules'),
      rawResponseSchema: ENDPOINTS.schedules.response,
      transformResponse: (schedules: WireSchedule[]) => schedules.map(toSchedule),
      providesTags: ['Schedules'],
    }),
    saveSchedule: build.mutation<Schedule, SaveRequest>({
      query: ({ providerId, entityLabel, ...body }) =>
        callOf('saveSchedule', { params: { providerId, entityLabel }, body }),
      rawResponseSchema: ENDPOINTS.saveSchedule.response,
      transformResponse: (schedule: WireSchedule) => toSchedule(schedule),
      invalidatesTags: refreshes('Schedules'),
    }),
  }),
});

export const { useSchedulesQuery, useSaveScheduleMutation } = schedulesApi;

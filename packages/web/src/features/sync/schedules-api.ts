import { ENDPOINTS, type SaveSchedule, type Schedule } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

interface SaveRequest extends SaveSchedule {
  providerId: string;
  entityLabel: string;
}

const schedulesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    schedules: build.query<Schedule[], void>({
      query: () => callOf('schedules'),
      rawResponseSchema: ENDPOINTS.schedules.response,
      providesTags: ['Schedules'],
    }),
    saveSchedule: build.mutation<Schedule, SaveRequest>({
      query: ({ providerId, entityLabel, ...body }) =>
        callOf('saveSchedule', { params: { providerId, entityLabel }, body }),
      rawResponseSchema: ENDPOINTS.saveSchedule.response,
      invalidatesTags: refreshes('Schedules'),
    }),
  }),
});

export const { useSchedulesQuery, useSaveScheduleMutation } = schedulesApi;

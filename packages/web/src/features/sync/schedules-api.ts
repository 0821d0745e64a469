import {
  type CreateSchedule,
  ENDPOINTS,
  type SaveSchedule,
  type Schedule,
  type ScheduleTimes,
  type Timetable,
} from '@datadeck/contract';
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
    createSchedule: build.mutation<Schedule, CreateSchedule>({
      query: (body) => callOf('createSchedule', { body }),
      rawResponseSchema: ENDPOINTS.createSchedule.response,
      invalidatesTags: refreshes('Schedules'),
    }),
    deleteSchedule: build.mutation<unknown, string>({
      query: (id) => callOf('deleteSchedule', { params: { id } }),
      invalidatesTags: refreshes('Schedules'),
    }),
    timetable: build.query<Timetable, ScheduleTimes>({
      query: (query) => callOf('timetable', { query }),
      rawResponseSchema: ENDPOINTS.timetable.response,
    }),
  }),
});

export const {
  useSchedulesQuery,
  useSaveScheduleMutation,
  useCreateScheduleMutation,
  useDeleteScheduleMutation,
  useTimetableQuery,
} = schedulesApi;

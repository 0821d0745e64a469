import { ENDPOINTS, type Results } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';

interface ExampleQuery {
  providerId: string;
  entityLabel: string;
  limit: number;
}

const recordsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    exampleRecords: build.query<Results, ExampleQuery>({
      query: ({ limit, ...params }) => callOf('exampleRecords', { params, query: { limit } }),
      responseSchema: ENDPOINTS.exampleRecords.response,
      providesTags: ['Entities'],
    }),
  }),
});

export const { useExampleRecordsQuery, endpoints: recordsEndpoints } = recordsApi;

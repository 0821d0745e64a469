import { ENDPOINTS, type Results, type Template } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';

interface EntityAddress {
  providerId: string;
  entityLabel: string;
}

interface AggregationQuery {
  entryCollection: string;
  templateKey: string;
  page: number;
}

const templatesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    templates: build.query<Template[], EntityAddress>({
      query: (params) => callOf('templates', { params: { ...params } }),
      responseSchema: ENDPOINTS.templates.response,
      providesTags: ['Templates'],
    }),
    aggregation: build.query<Results, AggregationQuery>({
      query: ({ page, ...params }) => callOf('aggregation', { params, query: { page } }),
      responseSchema: ENDPOINTS.aggregation.response,
      providesTags: ['Aggregation'],
    }),
  }),
});

export const { useTemplatesQuery, useAggregationQuery, endpoints: templatesEndpoints } = templatesApi;

const NONE: readonly string[] = [];

/** What people look at first in whole records of an entity, by its templates. */
export function recordColumns(templates: readonly Template[] | undefined): readonly string[] {
  return templates?.find(({ isOfRecords }) => isOfRecords)?.columns ?? NONE;
}

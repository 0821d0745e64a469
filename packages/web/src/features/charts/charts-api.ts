import { type Chart, type ChartData, ENDPOINTS, type ViewResults } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import type { RunQuery } from '../../api/models.ts';

/** What a chart of a view is drawn from. */
export interface ViewChart {
  viewId: string;
  /** Absent: what the server proposes. */
  chart?: Chart | undefined;
  timeZone: string;
  /** Values of the view's parameters, as JSON. */
  parameters?: string | undefined;
  /** Its rows alone are read; absent: all accounts. */
  account?: string | undefined;
  /** An expression over the whole result; absent: the result itself. */
  filter?: string | undefined;
}

/** What a chart of an expression over all rows of a template is drawn from. */
export interface QueryChart extends Omit<RunQuery, 'page' | 'sort'> {
  chart?: Chart | undefined;
  timeZone: string;
}

const chartsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    viewChart: build.query<ChartData, ViewChart>({
      query: ({ viewId, parameters, filter, ...body }) =>
        callOf('viewChart', {
          params: { viewId },
          body: {
            ...body,
            ...(parameters !== undefined && { parameters: JSON.parse(parameters) }),
            ...(filter !== undefined && { jsonNataQuery: filter }),
          },
        }),
      responseSchema: ENDPOINTS.viewChart.response,
      providesTags: ['View'],
    }),
    queryChart: build.query<ChartData, QueryChart>({
      query: ({ entity, expression, ...body }) =>
        callOf('queryChart', { body: { ...body, entryCollection: entity, jsonNataQuery: expression } }),
      responseSchema: ENDPOINTS.queryChart.response,
      providesTags: ['Aggregation'],
    }),
    /** The first rows of a view, for pictures that are a table or a text. */
    firstRows: build.query<ViewResults, Pick<ViewChart, 'viewId' | 'parameters' | 'account'>>({
      query: ({ viewId, ...query }) =>
        callOf('viewResults', { params: { viewId }, query: { page: 1, ...query } }),
      responseSchema: ENDPOINTS.viewResults.response,
      providesTags: ['View'],
    }),
  }),
});

export const { useViewChartQuery, useQueryChartQuery, useFirstRowsQuery } = chartsApi;

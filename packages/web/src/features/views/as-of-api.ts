import { ENDPOINTS, type ViewDifference, type ViewRuns } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';

/** A view with what selects its rows. */
interface ReadView {
  viewId: string;
  /** Its rows alone are read; absent: all accounts. */
  account?: string | undefined;
}

const asOfApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    viewRuns: build.query<ViewRuns, ReadView & { page: number }>({
      query: ({ viewId, ...query }) => callOf('viewRuns', { params: { viewId }, query }),
      responseSchema: ENDPOINTS.viewRuns.response,
      providesTags: ['View'],
    }),
    viewDifference: build.query<ViewDifference, ReadView & { run: string; parameters?: string | undefined }>({
      query: ({ viewId, ...query }) => callOf('viewDifference', { params: { viewId }, query }),
      responseSchema: ENDPOINTS.viewDifference.response,
      providesTags: ['View'],
    }),
  }),
});

export const { useViewRunsQuery, useViewDifferenceQuery } = asOfApi;

import { ENDPOINTS, type Results, type Template as WireTemplate } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Template, toTemplate } from '../../api/models.ts';

interface EntityAddress {
  providerId: string;
  entityLabel: string;
}

interface AggregationQuery {
  entity: string;
  templateKey: string;
  page: number;
  /** Selects rows; empty: all. */
  search?: string;
  /** Its rows alone are read; empty: all accounts. */
  account?: string;
  /** Order of all rows, e.g. `-size`; empty: that of the template. */
  sort?: string;
}

const templatesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    templates: build.query<Template[], EntityAddress>({
      query: (params) => callOf('templates', { params: { ...params } }),
      rawResponseSchema: ENDPOINTS.templates.response,
      transformResponse: (templates: WireTemplate[]) => templates.map(toTemplate),
      providesTags: ['Templates'],
    }),
    aggregation: build.query<Results, AggregationQuery>({
      query: ({ entity, templateKey, page, search = '', account = '', sort = '' }) =>
        callOf('aggregation', {
          params: { entryCollection: entity, templateKey },
          query: {
            page,
            ...(search !== '' && { search }),
            ...(account !== '' && { account }),
            ...(sort !== '' && { sort }),
          },
        }),
      responseSchema: ENDPOINTS.aggregation.response,
      providesTags: ['Aggregation'],
    }),
  }),
});

export const {
  useTemplatesQuery,
  useLazyTemplatesQuery,
  useAggregationQuery,
  endpoints: templatesEndpoints,
} = templatesApi;

const NONE: readonly string[] = [];

/** Returns the preferred columns for whole records: those of the template of whole records; empty while not loaded. */
export function recordColumns(templates: readonly Template[] | undefined): readonly string[] {
  return templates?.find(({ isOfRecords }) => isOfRecords)?.columns ?? NONE;
}

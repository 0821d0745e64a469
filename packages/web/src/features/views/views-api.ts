import {
  BOUNDS,
  type DeletedView,
  ENDPOINTS,
  inputsOf,
  type ViewResults,
  type ListedView as WireListedView,
  type View as WireView,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { unreadable } from '../../api/failure.ts';
import {
  type CreateView,
  type ListedView,
  toListedView,
  toView,
  type UpdateView,
  type View,
  withWireExpression,
} from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';
import { byTitle } from '../../ui/by-title.ts';

interface EntityAddress {
  providerId: string;
  entityLabel: string;
}

export interface ViewPage {
  viewId: string;
  page: number;
  /** Values of the view's parameters, as JSON. */
  parameters?: string | undefined;
  /** Its rows alone are read; absent: all accounts. */
  account?: string | undefined;
  /** Order of all results, e.g. `-size`; absent: that of the view. */
  sort?: string | undefined;
  /** An expression over the whole result; absent: the result itself. */
  filter?: string | undefined;
  /** Id of the run as of whose end the view is read, without a filter; absent: now. */
  asOf?: string | undefined;
}

/**
 * Adds to each view its inputs: its own parameters and those of its base view, which is in the same list. The server lists those
 * of views with several bases.
 */
function withInputs(views: readonly ListedView[]): View[] {
  const byId = new Map(views.map((view) => [view.id, view]));
  return views.map((view) => {
    const chain = [view];
    for (let base: ListedView | undefined = view; base && !base.inputs; ) {
      base = byId.get(base.basedOn ?? '');
      // Stop at a circular chain.
      if (!base || chain.includes(base)) break;
      chain.unshift(base);
    }
    const parameters = chain.map((one) => ({ parameters: one.inputs ?? one.parameters }));
    return { ...view, inputs: inputsOf(parameters) };
  });
}

const viewsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    views: build.query<View[], EntityAddress>({
      query: (query) => callOf('views', { query: { ...query } }),
      rawResponseSchema: ENDPOINTS.views.response,
      transformResponse: (views: WireListedView[]) => byTitle(withInputs(views.map(toListedView))),
      providesTags: ['Views'],
    }),
    /** Views of all entities. */
    allViews: build.query<View[], void>({
      async queryFn(_none, _api, _options, fetchBase) {
        const all: ListedView[] = [];
        for (let page = 1; page <= BOUNDS.viewsPerUser / BOUNDS.viewsPage; page++) {
          const answer = await fetchBase(callOf('allViews', { query: { page } }));
          if (answer.error !== undefined) return { error: answer.error };
          const views = ENDPOINTS.allViews.response.safeParse(answer.data);
          if (!views.success) return { error: unreadable(views.error.message) };
          all.push(...views.data.results.map(toListedView));
          if (all.length >= views.data.count) break;
        }
        return { data: byTitle(withInputs(all)) };
      },
      providesTags: ['Views'],
    }),
    viewResults: build.query<ViewResults, ViewPage>({
      query: ({ viewId, filter, asOf, ...query }) => {
        if (asOf !== undefined)
          return callOf('viewAsOf', { params: { viewId }, query: { ...query, run: asOf } });
        if (filter === undefined) return callOf('viewResults', { params: { viewId }, query });
        const { parameters, ...rest } = query;
        const bindings = parameters === undefined ? {} : { parameters: JSON.parse(parameters) };
        return callOf('queryView', {
          params: { viewId },
          body: { ...rest, ...bindings, jsonNataQuery: filter },
        });
      },
      responseSchema: ENDPOINTS.viewResults.response,
      providesTags: ['View'],
    }),
    createView: build.mutation<View, CreateView>({
      query: (view) => callOf('createView', { body: withWireExpression(view) }),
      rawResponseSchema: ENDPOINTS.createView.response,
      transformResponse: (view: WireView) => toView(view),
      invalidatesTags: refreshes('Views'),
    }),
    updateView: build.mutation<unknown, UpdateView & { viewId: string }>({
      query: ({ viewId, ...view }) =>
        callOf('updateView', { params: { viewId }, body: withWireExpression(view) }),
      invalidatesTags: refreshes('Views', 'View'),
    }),
    deleteView: build.mutation<DeletedView, string>({
      query: (viewId) => callOf('deleteView', { params: { viewId } }),
      invalidatesTags: refreshes('Views'),
    }),
    restoreView: build.mutation<View, string>({
      query: (undo) => callOf('restoreView', { body: { undo } }),
      rawResponseSchema: ENDPOINTS.restoreView.response,
      transformResponse: (view: WireView) => toView(view),
      invalidatesTags: refreshes('Views'),
    }),
  }),
});

export const {
  useViewsQuery,
  useAllViewsQuery,
  useViewResultsQuery,
  useCreateViewMutation,
  useUpdateViewMutation,
  useDeleteViewMutation,
  useRestoreViewMutation,
  endpoints: viewsEndpoints,
} = viewsApi;

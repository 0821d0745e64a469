import { type Curve, type CurvePoint, ENDPOINTS } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

const curvesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    curve: build.query<Curve, string>({
      query: (viewId) => callOf('curve', { params: { viewId } }),
      responseSchema: ENDPOINTS.curve.response,
      providesTags: ['Curves'],
    }),
    curvePoints: build.query<{ results: CurvePoint[]; count: number }, { viewId: string; page: number }>({
      query: ({ viewId, page }) => callOf('curvePoints', { params: { viewId }, query: { page } }),
      responseSchema: ENDPOINTS.curvePoints.response,
      providesTags: ['Curves'],
    }),
    keepCurve: build.mutation<
      { ok: true },
      { viewId: string; isKept: boolean; parameters?: string | undefined }
    >({
      query: ({ viewId, ...body }) => callOf('keepCurve', { params: { viewId }, body }),
      invalidatesTags: refreshes('Curves'),
    }),
  }),
});

export const { useCurveQuery, useCurvePointsQuery, useKeepCurveMutation } = curvesApi;

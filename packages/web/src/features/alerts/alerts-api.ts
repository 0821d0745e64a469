import {
  type AlertDelivery,
  type Alerts,
  type CreateAlert,
  ENDPOINTS,
  type MarkedDelivery,
  type SavedAlert,
  type UpdateAlert,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

const alertsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    alerts: build.query<Alerts, void>({
      query: () => callOf('alerts'),
      responseSchema: ENDPOINTS.alerts.response,
      providesTags: ['Alerts'],
    }),
    alertDeliveries: build.query<
      { results: AlertDelivery[]; count: number },
      { alert: string; page: number }
    >({
      query: (query) => callOf('alertDeliveries', { query }),
      responseSchema: ENDPOINTS.alertDeliveries.response,
      providesTags: ['Alerts'],
    }),
    alertDelivery: build.query<MarkedDelivery, string>({
      query: (id) => callOf('alertDelivery', { params: { id } }),
      responseSchema: ENDPOINTS.alertDelivery.response,
    }),
    createAlert: build.mutation<SavedAlert, CreateAlert>({
      query: (body) => callOf('createAlert', { body }),
      responseSchema: ENDPOINTS.createAlert.response,
      invalidatesTags: refreshes('Alerts'),
    }),
    updateAlert: build.mutation<SavedAlert, UpdateAlert & { id: string }>({
      query: ({ id, ...body }) => callOf('updateAlert', { params: { id }, body }),
      responseSchema: ENDPOINTS.updateAlert.response,
      invalidatesTags: refreshes('Alerts'),
    }),
    deleteAlert: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('deleteAlert', { params: { id } }),
      invalidatesTags: refreshes('Alerts'),
    }),
    testAlert: build.mutation<AlertDelivery[], { id: string; rows: 'example' | 'current' }>({
      query: ({ id, rows }) => callOf('testAlert', { params: { id }, query: { rows } }),
      responseSchema: ENDPOINTS.testAlert.response,
      invalidatesTags: refreshes('Alerts', 'Notifications'),
    }),
  }),
});

export const {
  useAlertsQuery,
  useAlertDeliveriesQuery,
  useAlertDeliveryQuery,
  useCreateAlertMutation,
  useUpdateAlertMutation,
  useDeleteAlertMutation,
  useTestAlertMutation,
} = alertsApi;

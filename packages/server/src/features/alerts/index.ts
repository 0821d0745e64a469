export { ALERT_ADDRESSES } from './channels.ts';
export { deleteOldDeliveries, listDeliveries, readDelivery } from './deliveries.ts';
export { ALERT_CHECK_QUEUE, ALERT_DELIVERY_QUEUE } from './queue.ts';
export { createAlert, deleteAlert, deleteAlerts, listAlerts, updateAlert } from './store.ts';
export { testAlert } from './test-alert.ts';
export { readViewDifference } from './view-difference.ts';
export { workOnAlerts } from './worker.ts';

export { CHANNEL_TABLE, prepareBroadcastChannel, readBroadcastChannel } from './broadcast-channel.ts';
export { workOnWebhooks } from './deliver.ts';
export {
  addNotice,
  announceNotice,
  deleteNotifications,
  listNotifications,
  markRead,
  type Notice,
} from './notices.ts';
export { type DeliveryOutcome, settleAttempt } from './outbox.ts';
export { onPageMessage, publishInvalidation, publishToPages } from './page-events.ts';
export { postJson, postSigned } from './post.ts';
export { WEBHOOK_QUEUE } from './queue.ts';
export {
  deleteWebhook,
  readWebhook,
  saveWebhook,
  testWebhook,
  WEBHOOK_SECRETS,
} from './webhook.ts';

export { CHANNEL_TABLE, prepareBroadcastChannel, readBroadcastChannel } from './broadcast-channel.ts';
export {
  beginningOf,
  CARD,
  cardBody,
  DISCORD,
  discordBody,
  escapeHtml,
  MAX_DISCORD,
  type Markup,
  oneLine,
  SLACK,
  slackBody,
} from './chat-markup.ts';
export { workOnWebhooks } from './deliver.ts';
export { mailAddressOf, mailToUser, requireMail, saveNoticeMail } from './mail-to-user.ts';
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
export { postSigned, postToNtfy } from './post.ts';
export { WEBHOOK_QUEUE } from './queue.ts';
export type { Site } from './site.ts';
export {
  deleteWebhook,
  readWebhook,
  saveWebhook,
  testWebhook,
  WEBHOOK_SECRETS,
} from './webhook.ts';

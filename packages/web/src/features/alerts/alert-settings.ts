import type { Alert } from '@datadeck/contract';

/** Returns what a person chose for an alert, without its parameters and its field that identifies rows. */
export function settingsOf(alert: Alert) {
  const { kinds, condition, digest, digestHour, rowText, bell, email, webhookUrl, webhookFormat, ntfyUrl } =
    alert;
  return { kinds, condition, digest, digestHour, rowText, bell, email, webhookUrl, webhookFormat, ntfyUrl };
}

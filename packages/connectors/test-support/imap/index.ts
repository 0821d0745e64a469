export { DOVECOT_MISSING, Dovecot, freePort } from './dovecot.ts';
export { FaultProxy } from './fault-proxy.ts';
export { MailboxControl } from './mailbox-control.ts';

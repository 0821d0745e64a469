export { DOVECOT_MISSING, Dovecot } from './dovecot.ts';
export { FaultProxy } from './fault-proxy.ts';
export { MailboxControl } from './mailbox-control.ts';

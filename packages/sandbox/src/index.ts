export { MAIL_ODDITIES, type MailOddity } from './control/mail-oddities.ts';
export { PULL_ODDITIES, type PullOddity } from './control/pull-oddities.ts';
export type { SandboxControl } from './control/sandbox-control.ts';
export { type DemoSample, demoSample } from './demo-sample.ts';
export { type Api, FAULTS, type FaultName } from './faults/fault-catalogue.ts';
export type { FaultHandle, FaultSpec } from './faults/fault-injector.ts';
export { createSandbox, type Sandbox } from './sandbox.ts';
export type { OAuthClient, SandboxOptions } from './settings/sandbox-options.ts';
export { type StartedSandbox, startSandbox } from './start-sandbox.ts';

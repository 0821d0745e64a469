export { type DemoSample, demoFile, demoSample } from './demo-sample.ts';
export { productSettings } from './product-settings.ts';
export { createSandbox, type Sandbox } from './sandbox.ts';
export type { OAuthClient, SandboxOptions } from './settings/sandbox-options.ts';
export { type StartedSandbox, startSandbox } from './start-sandbox.ts';

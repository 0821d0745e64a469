import type { SandboxOptions as ProductOptions, Sandbox } from '@datadeck/sandbox';
import {
  accountsFor,
  createServices,
  pullIssueText,
  resolveSettings,
  type SandboxServices,
  serveServices,
} from '@datadeck/sandbox/parts';
import { CallCounters } from './control/call-counters.ts';
import { registerControl } from './control/control-routes.ts';
import { createControl, type SandboxControl } from './control/sandbox-control.ts';
import { faultHooks } from './due-faults/fault-hooks.ts';
import { FaultInjector } from './faults/fault-injector.ts';
import { MicrosoftRefusals } from './microsoft/microsoft-refusals.ts';
import { type SyntheticSizes, withSyntheticAccounts } from './synthetic/synthetic-accounts.ts';

/** The options of the sandbox, and numbers of synthetic records. */
export interface SandboxOptions extends ProductOptions {
  synthetic?: SyntheticSizes;
}

/** A sandbox whose faults and data tests control, also over HTTP below /control. */
export interface TestSandbox extends Sandbox {
  control: SandboxControl;
  /** Generates the synthetic pull requests, so that the first requests are as fast as later ones. */
  prepare(): void;
}

/** Creates the sandbox of the product with faults, control and synthetic data. */
export function createSandbox({ synthetic = {}, ...options }: SandboxOptions): TestSandbox {
  const settings = resolveSettings(options);
  const faults = new FaultInjector();
  const counters = new CallCounters();
  const accounts = withSyntheticAccounts(accountsFor(settings), synthetic, settings.anchor);
  const refusals = new MicrosoftRefusals();
  const hooksFor = (created: SandboxServices) => faultHooks(created, { faults, counters, refusals });
  const services = createServices(settings, accounts, hooksFor);
  const sandbox = serveServices(settings, services);
  const control = createControl({ faults, counters, refusals, ...services });
  return {
    ...sandbox,
    control,
    async plugin(scope, pluginOptions) {
      await sandbox.plugin(scope, pluginOptions);
      await scope.register((child) => registerControl(child, control), { prefix: '/control' });
    },
    prepare() {
      const { repositories, links } = services.github;
      for (const repository of repositories.all()) {
        repository.prepare(links);
        const hasIssues = repository.activity.issues.rows().length > 0;
        for (const row of hasIssues ? repository.rows() : []) pullIssueText(repository, row, links);
      }
    },
  };
}

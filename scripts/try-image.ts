/**
 * The last step of `scripts/try-image.sh`: does the main job with the started image. `node scripts/try-image.ts COMMAND`
 * runs the command with the settings as its arguments (`NAME=value`).
 */
import { startSandbox } from '../packages/test-sandbox/src/index.ts';
import { connectAndSync, signInByLink } from './trial/main-job.ts';
import { startProduct } from './trial/started-product.ts';

const [, , ...command] = process.argv;
const [file = ''] = command;
const sandbox = await startSandbox({ port: 0, quotaScale: 0 });
const { githubUrl, githubApiUrl } = sandbox.urls();
const settings = [
  `GITHUB_URL=${githubUrl}`,
  `GITHUB_API_URL=${githubApiUrl}`,
  'PUBLIC_URL=http://127.0.0.1:3000',
];
const product = await startProduct([file, ...command.slice(1), ...settings], {});
try {
  const client = await signInByLink(product.url, product.link);
  const pulls = await connectAndSync(client, sandbox.control.github.createToken('ada-nowak'));
  console.log(`Signed in by the printed link, synchronised and queried ${pulls} pull requests`);
} finally {
  await product.stop();
  await sandbox.close();
}

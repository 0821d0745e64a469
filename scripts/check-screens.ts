/** `node scripts/check-screens.ts`: finds screens without a journey or a picture, and pictures of no screen. */
import { readdirSync, readFileSync } from 'node:fs';
import { PATHS } from '../packages/web/src/address/paths.ts';
import { FOLDER, filesOf, PICTURES } from './screen-pictures.ts';

const WALK = 'e2e/screens.spec.ts';
const walk = readFileSync(WALK, 'utf8');
const walked = new Set([...walk.matchAll(/'(\/dashboard[^'?]*)/g)].map(([, path]) => path));
const pictured = new Set(PICTURES.map(({ path }) => path.split('?')[0] ?? ''));
// This address leads on to another screen.
const screens = Object.values(PATHS).filter((path) => path !== PATHS.dashboard);
const files = new Set(readdirSync(FOLDER).filter((name) => name.endsWith('.png')));
const expected = new Set(PICTURES.flatMap(filesOf));

const problems = [
  ...screens
    .filter((path) => !pictured.has(path))
    .map((path) => `${path}: scripts/screen-pictures.ts has no picture`),
  // Signed-in users do not see the login screen.
  ...screens
    .filter((path) => path !== PATHS.login && !walked.has(path))
    .map((path) => `${path}: ${WALK} does not visit it`),
  ...[...expected]
    .filter((name) => !files.has(name))
    .map((name) => `${FOLDER}/${name} is missing: npx node scripts/screens.ts takes it`),
  ...[...files]
    .filter((name) => !expected.has(name))
    .map((name) => `${FOLDER}/${name} belongs to no picture: delete it`),
];
for (const problem of problems) console.log(problem);
console.log(`${screens.length} screens, ${PICTURES.length} pictures, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;

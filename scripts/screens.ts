/** `node scripts/screens.ts [name…]`: starts the product on an empty folder and takes the pictures of docs/screens. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { type DemoSite, withDemoBrowser } from './demo-browser.ts';
import { FOLDER, PICTURES, type Picture, SCHEMES, SIZES } from './screen-pictures.ts';

/** The pictures that one user sees. */
interface Shoot {
  url: string;
  token: string;
  pictures: readonly Picture[];
}

/** Names given on the command line; none: all. */
const ONLY = process.argv.slice(2);
const isAskedFor = ({ name }: Picture) => ONLY.length === 0 || ONLY.includes(name);

/** Takes pictures of one width for one user, who has a browser context alone. */
async function take(
  browser: Browser,
  size: keyof typeof SIZES,
  { url, token, pictures }: Shoot,
): Promise<void> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(url);
  for (const { name, path, act } of pictures) {
    await page.emulateMedia({ colorScheme: 'light' });
    if (path !== '/') {
      await page.evaluate((stored) => localStorage.setItem('dd-authToken', JSON.stringify(stored)), token);
    }
    await page.goto(url + path);
    // By its tag: a dialog that is open hides the page from assistive technology.
    await page.locator('h1').first().waitFor();
    // The event stream stays open, so the network is never idle.
    await page.waitForTimeout(700);
    await act?.(page);
    await page.waitForTimeout(300);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-theme=${scheme}]`).waitFor();
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(FOLDER, `${name}-${scheme}-${size}.png`), scale: 'css' });
    }
  }
  await context.close();
}

/** Takes all pictures that are asked for. */
async function takeAll(browser: Browser, { url, token, administrator }: DemoSite): Promise<void> {
  const asked = PICTURES.filter(isAskedFor);
  const shoots: Shoot[] = [
    { url, token, pictures: asked.filter(({ role }) => role === undefined) },
    { url, token: administrator, pictures: asked.filter(({ role }) => role === 'administrator') },
  ];
  for (const size of [1440, 390] as const)
    for (const shoot of shoots) if (shoot.pictures.length > 0) await take(browser, size, shoot);
}

function writeIndex(): void {
  const rows = PICTURES.map(({ name, title }) => {
    const links = Object.keys(SIZES).flatMap((size) =>
      SCHEMES.map((scheme) => `[${scheme} ${size}](${name}-${scheme}-${size}.png)`),
    );
    return `| ${title} | ${links.join(' · ')} |`;
  });
  const text = `# Screens

Taken by \`node scripts/screens.ts\` as a demo user, *Administration* as an administrator, light and dark, 1440 and 390 px wide.

| Screen | Pictures |
|---|---|
${rows.join('\n')}
`;
  writeFileSync(join(FOLDER, 'README.md'), text);
}

await withDemoBrowser(async (browser, site) => {
  mkdirSync(FOLDER, { recursive: true });
  await takeAll(browser, site);
  writeIndex();
  const sizes = readdirSync(FOLDER).map((file) => statSync(join(FOLDER, file)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${sizes.length - 1} pictures, ${(total / 1024 / 1024).toFixed(1)} MB`);
});

import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { projectFolder } from '../suites.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 AA that a page breaks as it is, each with the elements. The page's context needs `bypassCSP`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(
       ({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };

const PICTURES = join(projectFolder, '.data', 'pictures', 'people');

/** Looks at a page of people on both screens, light and dark: it fits their width, and axe finds nothing. Takes pictures. */
export async function look(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ name, device, colorScheme, faults: await accessibilityFaults(page) }).toMatchObject({ faults: [] });
      await page.screenshot({ path: join(PICTURES, `${name}-${device}-${colorScheme}.png`), fullPage: true });
    }
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(size.width);
  }
}

/** Presses a button by the keyboard alone. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

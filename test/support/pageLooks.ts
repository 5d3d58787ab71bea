import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Page, ViewportSize } from 'playwright-core';
import { projectFolder } from '../suites.ts';
import { accessibilityFaults } from './accessibility.ts';
import { SIZES } from './browser.ts';
import { useFonts } from './pageFonts.ts';
import { difference, differenceFrom } from './pictures.ts';

/** Share of the pixels: some sixty on a phone. Versions of Chromium differ in how they smooth letters. */
const TOLERANCE = 0.0002;

/** A sheet between its margins. */
const PAPER = { width: 680, height: 960 };

/** How pages are looked at. */
export interface Looks {
  /** Folder of the pictures in .data/pictures, and of the approved ones in test/extra/golden. */
  folder: string;
  sizes?: Readonly<Record<string, ViewportSize>>;
  /** Files of the pictures that a person has approved. */
  approved?: readonly string[];
  /** Whether something that axe found is a fault. */
  isFault?(fault: string): boolean;
  /** CSS that the pictures need. */
  css?: string;
  /** Only light on the first screen and dark on the last, for a page that is shown in many languages. */
  isBrief?: boolean;
}

/** Texts that are wider than their place. */
const OVERFLOWING = `[...document.querySelectorAll('button, .button, a, th, td, dt, dd, label, summary, h1, h2, h3, p, li')]
  .filter((one) => one.clientWidth > 1 && !one.closest('.unseen, [aria-hidden=true]') && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).display !== 'inline' && getComputedStyle(one).textOverflow !== 'ellipsis')
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Path of an approved picture. */
const keptIn = (folder: string, file: string): string => join(projectFolder, 'test', 'extra', 'golden', folder, file);
const seenIn = (folder: string, file: string): string => join(projectFolder, '.data', 'pictures', folder, file);

/** The picture of a page as it is now. */
const pictureOf = (page: Page): Promise<Buffer> =>
  page.screenshot({ fullPage: true, caret: 'hide', animations: 'disabled' });

/**
 * Takes pictures of a page on each screen, light and dark, and printed if that picture is approved. Returns what is wrong: it is wider than the
 * screen, a text is wider than its place, axe finds something, or it differs from an approved picture.
 */
export async function wrongLooks(page: Page, name: string, looks: Looks): Promise<string[]> {
  const { folder, sizes = SIZES, approved = [], isFault = () => true } = looks;
  if (approved.length > 0) await useFonts(page, looks.css);
  const wrong: string[] = [];
  const compare = async (file: string) => {
    const differs = differenceFrom(keptIn(folder, file), await pictureOf(page), seenIn(folder, file));
    if (approved.includes(file) && differs >= TOLERANCE) wrong.push(`${file} differs by ${differs}`);
  };
  const screens = Object.entries(sizes);
  for (const [place, [device, size]] of screens.entries())
    for (const colorScheme of ['light', 'dark'] as const) {
      if (looks.isBrief && place !== (colorScheme === 'light' ? 0 : screens.length - 1)) continue;
      const file = `${name}-${device}-${colorScheme}.png`;
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await compare(file);
      const faults = (await accessibilityFaults(page)).filter(isFault);
      const wide = await page.evaluate<string[]>(OVERFLOWING);
      wrong.push(...[...faults, ...wide.map((text) => `too wide: ${text}`)].map((fault) => `${file}: ${fault}`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width !== size.width) wrong.push(`${file} is ${width} wide`);
    }
  if (approved.includes(`${name}-print.png`)) {
    await page.setViewportSize(PAPER);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await compare(`${name}-print.png`);
    await page.emulateMedia({ media: 'screen' });
  }
  return wrong;
}

/** Expects that the approved pictures of a folder differ from the first one. */
export function expectDifferent(folder: string, files: readonly string[]): void {
  const [first, ...others] = files.map((file) => readFileSync(keptIn(folder, file)));
  for (const other of others) expect(first && difference(first, other)).toBeGreaterThan(TOLERANCE);
}

/** Looks at a page, and expects that nothing is wrong with it. */
export type Look = (page: Page, name: string) => Promise<void>;

export const looksIn =
  (folder: string, more: Omit<Looks, 'folder'> = {}): Look =>
  async (page, name) =>
    expect(await wrongLooks(page, name, { folder, ...more })).toEqual([]);

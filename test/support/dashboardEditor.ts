import type { Page } from 'playwright-core';

/** Acts on the open editor of a document. */

/** Chooses what a field refers to. */
export const choose = async (page: Page, field: string, text: string) => {
  await page.getByRole('button', { name: new RegExp(`^${field} `) }).click();
  await page.getByRole('searchbox', { name: 'Search' }).last().fill(text);
  await page.getByRole('option', { name: text }).first().click();
};
/** A field of a line, counted from 1. */
export const cell = (page: Page, field: string, line: number) =>
  page.getByLabel(`${field} of line ${line}`, { exact: true });
/** Pastes a text into a field: the name of the first line. */
export const paste = async (page: Page, text: string, into = 'Item or text of line 1') => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.getByLabel(into, { exact: true }).press('ControlOrMeta+v');
};

/** Waits until the totals beside the form have an amount: `$484.29`. */
export const total = (page: Page, amount: string) =>
  page.waitForFunction(`document.querySelector('.sums')?.textContent.includes(${JSON.stringify(amount)})`);

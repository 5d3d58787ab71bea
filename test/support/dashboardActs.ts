import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility.ts';
import type { Visitor } from './dashboard.ts';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Names of the buttons that do something for a customer. */
export const ACTS = /^More$|Log|Add|Send|Promise|Assign|hold|Merge|Complete|Remove|Open portal|default/;

const MAIN = ['Log a call', 'Send statement', 'Promise to pay'];

/** Begins an act on the open page of a customer: by its button, or in the menu of further ones. */
export async function act(page: Page, name: string): Promise<void> {
  await button(page, 'Send statement').waitFor();
  if (MAIN.includes(name)) await button(page, name).click();
  else {
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
}

/** Opens a customer and begins an act. */
export async function begin({ page, open }: Visitor, customer: number, name: string): Promise<Page> {
  await open(`customers/${customer}`);
  await act(page, name);
  return page;
}

/** Ends the act in the open dialog, and waits for what is told about it. */
export async function end(page: Page, name: string, told: string): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.getByText(told).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
}

import { visibleLine } from '../../../billing/look/visibleText.ts';
import { isolated } from '../../../present/printed/formats.ts';
import { fill } from '../../../words/text.ts';
import { outcome } from '../kit/customerPage.ts';
import { button, form } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { framed, type Host } from './frame.ts';

export interface RemindersPage {
  host: Host;
  path: string;
  /** The whole address. The page shows it masked. */
  address: string;
  isStopped: boolean;
}

/** Name of the form's field, which says whether reminders are to be stopped or resumed. */
export const REMINDERS = 'reminders';

/** The page on which the recipient of reminders stops them, or has them sent again. */
export function remindersPage({ host, path, address, isStopped }: RemindersPage): Page {
  const { words, head } = host;
  const named = { seller: head.seller.name, address: isolated(masked(address), head.direction) };
  const title = isStopped ? words.remindersStopped : words.remindersTitle;
  const said = fill(isStopped ? words.remindersOff : words.remindersOn, named);
  const stop = button(words.remindersStop, 'primary', { name: REMINDERS, value: 'stop' });
  const resume = button(words.remindersResume, 'plain', { name: REMINDERS, value: 'resume' });
  const told = isStopped
    ? outcome('over', title, [said])
    : html`<h1>${title}</h1>
<p class="lead">${printed(said)}</p>`;
  const main = html`${told}
<p class="quiet">${words.remindersOther}</p>
${form(path, isStopped ? resume : stop)}`;
  return framed(host, { title, main });
}

/** "a•••@example.com": the reader recognizes it, nobody else learns it. */
export function masked(address: string): string {
  const text = visibleLine(address);
  const at = text.lastIndexOf('@');
  const [first = ''] = text;
  const [shown, domain] = at > 1 ? [first, text.slice(at)] : ['', text.slice(Math.max(at, 0))];
  return `${shown}•••${domain}`;
}

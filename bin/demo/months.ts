import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Invoice, TestClock } from '../../client/index.ts';

/** Advances a test clock and waits until it reaches the time. Throws with the reason if the clock stops before. */
export async function advanceClock(client: Client, id: number, frozen_time: number): Promise<TestClock> {
  let clock = await client.post('/test_clocks/{id}/advance', { frozen_time }, { id });
  while (clock.status === 'advancing') {
    await pause(50);
    clock = await client.get('/test_clocks/{id}', { id });
  }
  if (clock.status === 'stopped') throw new Error(`The clock stopped: ${clock.stop_reason}`);
  return clock;
}

/** An invoice on one line: "INV-00011  Ben  49.00  declined 15 Jun (insufficient funds), then declined 18 Jun (…), then paid 30 Jun". */
export function invoiceLine(invoice: Invoice, name: string, { happened }: TestClock): string {
  const charges = happened.filter(
    ({ subject, did }) => subject.object === 'invoice' && subject.id === invoice.id && did.startsWith('charge of'),
  );
  const story = charges.map(({ at, did }) => `${inWords(did)} ${dayOf(at)}${reasonOf(did)}`);
  return `${invoice.number}  ${name}  ${money(invoice.total)}  ${story.join(', then ') || invoice.status}`;
}

const inWords = (did: string) => (did.endsWith('succeeded') ? 'paid' : 'declined');

function reasonOf(did: string): string {
  const [, reason] = did.split(': ');
  return reason ? ` (${reason.replaceAll('_', ' ')})` : '';
}

export const money = (amount: number): string => amount.toFixed(2);

export function dayOf(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

export function monthOf(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Charge, Client, Invoice, TestClock } from '../../client/index.ts';

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

/** The fields of an invoice on its line. */
type Printed = Pick<Invoice, 'id' | 'customer' | 'number' | 'total' | 'status'>;

/** The charges that may be of an invoice, and the clock of its customer. */
interface Charged {
  charges: readonly Pick<Charge, 'id' | 'customer' | 'status' | 'created_at'>[];
  clock: Pick<TestClock, 'happened'>;
}

/** An invoice on one line: "INV-00011  Ben  49.00  declined 15 Jun (insufficient funds), then declined 18 Jun (…), then paid 30 Jun". */
export function invoiceLine(invoice: Printed, name: string, { charges, clock }: Charged): string {
  const steps = clock.happened.filter(({ subject }) => subject.object === 'invoice' && subject.id === invoice.id);
  const story = charges
    .filter(({ customer, created_at }) => customer === invoice.customer && steps.some(({ at }) => at === created_at))
    .toSorted((one, other) => one.id - other.id)
    .map((charge) => `${OUTCOMES[charge.status]} ${dayOf(charge.created_at)}${reasonOf(charge, steps)}`);
  return `${invoice.number}  ${name}  ${money(invoice.total)}  ${story.join(', then ') || invoice.status}`;
}

const OUTCOMES: Record<Charge['status'], string> = { succeeded: 'paid', pending: 'pending', failed: 'declined' };

/** The reason of a failed charge, in the words of its step. */
function reasonOf({ status, created_at }: Pick<Charge, 'status' | 'created_at'>, steps: TestClock['happened']): string {
  if (status !== 'failed') return '';
  const words = steps.find(({ at, did }) => at === created_at && did.startsWith('charge of'))?.did.split(': ')[1];
  return words ? ` (${words.replaceAll('_', ' ')})` : '';
}

export const money = (amount: number): string => amount.toFixed(2);

export function dayOf(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

export function monthOf(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

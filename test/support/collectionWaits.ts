import type { Seen, SeenInvoice } from './collectionSeen.ts';

/** Who keeps Perennial from asking, charging and planning: settings of the customer and its cadence that a person has chosen. */
export interface Stops {
  creditHold: boolean;
  cadencePaused: boolean;
}

/** Rules of an invoice's wake-ups that collect it. A late fee only makes it dearer. */
const COLLECTING = new Set(['attempt', 'past_due', 'promise']);

/**
 * The wait of an open invoice: a wake-up by its rule, the bank, the payer, or a person. Null: nothing, so that it would be forgotten.
 */
export function waitOf(one: SeenInvoice, { waits, openTasks }: Seen, stops: Stops): string | null {
  if (!one.isOpen) return 'nothing is owed';
  const own = waits.find(({ process, id, rule }) => process === 'invoice' && id === one.id && COLLECTING.has(rule));
  if (own) return `wake-up ${own.rule} of the invoice`;
  if (one.isPending) return waits.some(({ process }) => process === 'charge') ? 'look-up of its charge' : null;
  if (stops.creditHold) return 'the person who put the customer on hold';
  if (stops.cadencePaused) return 'the person who paused the cadence';
  if (one.plan?.status === 'pending_signup') return 'the customer, who has not signed the plan';
  const chase = waits.find(({ process }) => process === 'chasing');
  if (chase) return `wake-up ${chase.rule} of its customer`;
  if (one.isDisputed) return waits.some(({ process }) => process === 'charge') ? 'the bank' : 'the event of the bank';
  return openTasks > 0 ? 'the person who has the task' : null;
}

import type { Client } from '../../support/api.ts';
import { APRIL, dayOf2027 as day } from '../../support/goldSubscriptions.ts';

// Requests that race with a renewal, and the subscriptions whose renewal it is.

export interface Terms {
  body: object;
  /** UNIX seconds of the step that races. */
  at: number;
}

/** Terms of a subscription from 1 March. */
export const TERMS: readonly Terms[] = [
  { body: {}, at: APRIL },
  { body: { quantity: 3, discounts: ['twice'], taxes: ['vat'] }, at: APRIL },
  { body: { addons: [{ plan: 'seats', quantity: 2 }, { catalog_item: 'line' }], taxes: ['vat'] }, at: APRIL },
  { body: { bill_in: 'arrears', quantity: 2 }, at: APRIL },
  { body: { bill_in_advance_days: 5 }, at: day(3, 27) }, // the bill of April
  { body: { bill_in_advance_days: 5, discounts: ['twice'] }, at: APRIL }, // the start of April
  { body: { cycles: 1, contract_renewal_mode: 'auto' }, at: APRIL }, // a new contract and its first bill
  { body: { cycles: 1, contract_renewal_mode: 'manual' }, at: APRIL },
  { body: { cycles: 1 }, at: APRIL }, // finished
  { body: { trial_days: 14 }, at: day(3, 15) },
  { body: { snap_to_nth_day: 15 }, at: day(3, 15) },
];

export interface Racer {
  customer: number;
  id: number;
  /** Another customer; null: none is needed. */
  other: number | null;
}

export interface Asked {
  method: 'PATCH' | 'DELETE' | 'POST';
  path: (racer: Racer) => string;
  body?: (racer: Racer) => object;
}

export interface RaceKind {
  kind: string;
  /** The request. `oneOf` draws a member of a list. */
  asks: (oneOf: OneOf, terms: Terms) => Asked;
  /** A request on 1 March. */
  prepares?: Asked;
  /** Whether the bills depend on the order, because the request takes no due step. */
  ordered?: true;
  /** Whether neither the bills nor the steps taken show which came first. Then the one that ends first counts as first. */
  untold?: true;
  /** Whether it merges customers. */
  merges?: true;
}

export type OneOf = <Value>(values: readonly Value[]) => Value;

const patch = (body: object): Asked => ({
  method: 'PATCH',
  path: ({ id }) => `/subscriptions/${id}`,
  body: () => body,
});

const hasContract = ({ body }: Terms) => 'cycles' in body;

export const raceKinds: readonly RaceKind[] = [
  {
    kind: 'a change of the price',
    asks: (oneOf) =>
      patch({
        ...oneOf([{ quantity: 5 }, { plan: 'silver' }, { addons: [{ plan: 'seats', quantity: 7 }] }]),
        prorate: oneOf([true, true, 'now', false]),
      }),
  },
  {
    kind: 'a change of the interval',
    asks: (oneOf, terms) =>
      patch({
        plan: 'annual',
        addons: [],
        prorate: oneOf([true, false]),
        ...(hasContract(terms) ? { cycles: oneOf([1, 2]) } : {}),
      }),
  },
  {
    kind: 'a change kept for the renewal',
    asks: (oneOf) => patch({ quantity: oneOf([2, 4]), when: 'renewal' }),
  },
  {
    kind: 'the drop of a kept change',
    prepares: patch({ quantity: 4, when: 'renewal' }),
    asks: () => patch({ pending_change: null }),
    ordered: true,
  },
  {
    kind: 'a cancellation',
    asks: (oneOf) => {
      const prorate = oneOf([true, false]);
      return { method: 'DELETE', path: ({ id }) => `/subscriptions/${id}?prorate=${prorate}` };
    },
  },
  {
    kind: 'a cancellation at the end of the period',
    asks: () => patch({ cancel_at_period_end: true }),
  },
  {
    // Refused if the end is due, because the subscription ends first. If a bill ahead is due, it is made after the undo.
    kind: 'the undo of a cancellation at the end of the period',
    prepares: patch({ cancel_at_period_end: true }),
    asks: () => patch({ cancel_at_period_end: false }),
    untold: true,
  },
  {
    kind: 'a pause',
    asks: (oneOf) => {
      const resume_mode = oneOf(['continue', 'new']);
      return patch({ paused: true, ...oneOf([{}, { resume_at: day(4, 20), resume_mode }]) });
    },
  },
  {
    kind: 'a pending line',
    asks: (oneOf) => {
      const line = { unit_cost: oneOf([7, 0.01, -3]) };
      return { method: 'POST', path: ({ customer }) => `/customers/${customer}/line_items`, body: () => line };
    },
    ordered: true,
  },
  {
    kind: 'a merge of its customer',
    asks: () => ({
      method: 'POST',
      path: ({ other }) => `/customers/${other}/merge`,
      body: ({ customer }) => ({ customer }),
    }),
    merges: true,
    untold: true,
  },
];

/** Creates the plans, items, coupons and rates of `TERMS`. */
export async function sellForRaces({ make }: Client): Promise<void> {
  await make('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' });
  await make('/plans', { id: 'silver', name: 'Silver', amount: 6.66, interval: 'month' });
  await make('/plans', { id: 'seats', name: 'Seats', amount: 3.33, interval: 'month' });
  await make('/items', { id: 'line', name: 'Line', unit_cost: 1.25 });
  await make('/coupons', { id: 'twice', name: 'Twice', value: 15, duration: 2 });
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
}

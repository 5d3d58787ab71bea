import type { Answered } from '../../support/product.ts';

/** Changes of the payment plan of an invoice of 90.00. */

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
/** Installments that begin tomorrow, 30 days apart. */
export const parts = (...amounts: number[]) =>
  amounts.map((amount, index) => ({ date: start + index * 30 * DAY, amount }));

export interface PlanChange {
  change: string;
  method: 'PUT' | 'PATCH' | 'DELETE';
  /** Amounts of the plan that the invoice of 90.00 has before; empty: it has none. */
  before: number[];
  body(plan: Answered): unknown;
  status: number;
  after: PlanOutcome;
}

/** A plan after its change: its status, its amounts, the types of its events, and the number of its mails. */
export interface PlanOutcome {
  status: string;
  amounts: number[];
  events: string[];
  mails: number;
}

export const planChanges: PlanChange[] = [
  {
    change: 'new plan',
    method: 'PUT',
    before: [],
    body: () => ({ installments: parts(40, 50) }),
    status: 200,
    after: { status: 'active', amounts: [40, 50], events: ['created'], mails: 1 },
  },
  {
    change: 'other installments',
    method: 'PUT',
    before: [30, 60],
    body: () => ({ installments: parts(20, 30, 40) }),
    status: 200,
    after: { status: 'active', amounts: [20, 30, 40], events: ['created', 'updated'], mails: 2 },
  },
  {
    change: 'one installment changed, one added',
    method: 'PATCH',
    before: [30, 60],
    body: ({ installments }) => ({
      installments: [
        { id: installments[1].id, amount: 50 },
        { date: start + 60 * DAY, amount: 10 },
      ],
    }),
    status: 200,
    after: { status: 'active', amounts: [30, 50, 10], events: ['created', 'updated'], mails: 2 },
  },
  {
    change: 'canceled plan',
    method: 'DELETE',
    before: [30, 60],
    body: () => undefined,
    status: 204,
    after: { status: 'canceled', amounts: [30, 60], events: ['created', 'deleted'], mails: 1 },
  },
];

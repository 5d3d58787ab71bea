import type { Presented } from '../../../billing/json.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { presentCustomer } from '../../../present/customer.ts';
import { presentApplications, presentPayment } from '../../../present/payment.ts';
import type { Relations } from '../../expand.ts';
import * as fields from '../../fields.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { METHODS } from './schema.ts';

const where = conditionsOn<Payment>();

export const paymentRelations: Relations<Payment> = {
  customer: {
    load: (em, rows) => em.populate(rows, ['customer.defaultSource']),
    present: ({ customer }) => (customer ? presentCustomer(customer, customer.defaultSource ?? null) : null),
  },
};

/** With `applied_to` once its applications are loaded, which only requests that include them ask for. */
export function shownPayment(payment: Payment): Presented {
  const presented = presentPayment(payment, payment.charge ?? null);
  if (!payment.applications.isInitialized()) return presented;
  return { ...presented, applied_to: presentApplications(payment.applications.getItems()) };
}

export function wantsApplications(query: URLSearchParams): boolean {
  return (query.get('include') ?? '').split(',').some((name) => name.trim() === 'applied_to');
}

export async function loadApplications(em: EntityManager, payments: Payment[]): Promise<void> {
  await em.populate(payments, ['applications']);
}

/** Payments, with what they pay where the request includes it. */
export function payments(query: URLSearchParams): Listing<Payment> {
  return {
    row: Payment,
    scope: ({ caller }) => ({ accountId: caller.account.id }),
    sort: {
      id: (to) => ({ id: to }),
      date: (to) => ({ date: to }),
      amount: (to) => ({ amount: to }),
      balance: (to) => ({ balance: to }),
      created_at: (to) => ({ createdAt: to }),
      updated_at: (to) => ({ updatedAt: to }),
    },
    filter: {
      id: where(fields.id, (id) => ({ id })),
      customer: where(fields.id, (id) => ({ customer: { id } })),
      method: where(fields.choice(...METHODS), (method) => ({ method })),
      currency: where(fields.currency, (currency) => ({ currency })),
      voided: where(fields.boolean, (voided) => ({ voided })),
      reference: where(fields.text(), (reference) => ({ reference })),
      source: where(fields.text(), (source) => ({ source })),
    },
    parameters: {
      start_date: where(fields.timestamp, (at) => ({ date: { $gte: at } })),
      end_date: where(fields.timestamp, (at) => ({ date: { $lte: at } })),
      updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
      updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
    },
    byId: (to) => ({ id: to }),
    find: async (em, conditions, slice) => {
      const found = await em.find(Payment, conditions, { ...slice, populate: ['charge'] });
      if (wantsApplications(query)) await loadApplications(em, found);
      return found;
    },
    present: shownPayment,
    relations: paymentRelations,
  };
}

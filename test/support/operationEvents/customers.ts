import { BANK, CARD, type Row, type Shop } from './row.ts';

/** Of an invoice that another took the place of. */
const VOIDED = 'invoice.updated balance closed consolidated_into status';

/** Operations on customers, and on what belongs to them directly. */
export const customerRows: Record<string, Row> = {
  createCustomer: { given: async () => ['/customers', { name: 'New' }], tells: ['customer.created'] },
  updateCustomer: {
    given: async ({ customer }) => [`/customers/${customer}`, { name: 'Other', notes: 'n', email: 'told@example.com' }],
    tells: ['customer.updated name notes'],
  },
  deleteCustomer: { given: async ({ customer }) => [`/customers/${customer}`], tells: ['customer.deleted'] },
  anonymizeCustomer: {
    given: async ({ customer }) => [`/customers/${customer}/anonymize`],
    // What it was called is not told again.
    tells: ['customer.updated active'],
  },
  mergeCustomers: {
    given: async ({ customer, make }) => {
      const other = await make('/customers', { name: 'Merged' });
      await make('/customers', { name: 'Child', parent_customer: other });
      return [`/customers/${customer}/merge`, { customer: other }];
    },
    tells: ['customer.merged active merged_into', 'customer.updated parent_customer'],
  },
  consolidateInvoices: {
    given: async ({ client, customer, invoice }) => {
      await client.patch(`/customers/${customer}`, { consolidated: true });
      await invoice(1);
      await invoice(2);
      return [`/customers/${customer}/consolidate_invoices`, { cutoff_date: 4_000_000_000 }];
    },
    tells: [VOIDED, VOIDED, 'invoice.created'],
  },
  createContact: {
    given: async ({ customer }) => [`/customers/${customer}/contacts`, { name: 'Grace' }],
    tells: ['contact.created'],
  },
  updateContact: {
    given: async ({ customer, make }) => {
      const path = `/customers/${customer}/contacts`;
      return [`${path}/${await make(path, { name: 'Grace' })}`, { name: 'Grace', title: 'Admiral' }];
    },
    tells: ['contact.updated title'],
  },
  deleteContact: {
    given: async ({ customer, make }) => {
      const path = `/customers/${customer}/contacts`;
      return [`${path}/${await make(path, { name: 'Grace' })}`];
    },
    tells: ['contact.deleted'],
  },
  createPendingLineItem: {
    given: async ({ customer }) => [`/customers/${customer}/line_items`, { name: 'Usage', unit_cost: 5 }],
    tells: ['line_item.created'],
  },
  updatePendingLineItem: {
    given: async (shop) => [await pending(shop), { name: 'Usage', quantity: 2 }],
    tells: ['line_item.updated amount quantity'],
  },
  deletePendingLineItem: { given: async (shop) => [await pending(shop)], tells: ['line_item.deleted'] },
  invoicePendingLineItems: {
    given: async (shop) => {
      await pending(shop);
      return [`/customers/${shop.customer}/invoices`];
    },
    // Of the lines nothing is told: the invoice has them.
    tells: ['invoice.created'],
  },
  createNote: { given: async ({ customer }) => ['/notes', { customer, notes: 'n' }], tells: ['note.created'] },
  updateNote: {
    given: async ({ customer, make }) => [`/notes/${await make('/notes', { customer, notes: 'n' })}`, { notes: 'm' }],
    tells: ['note.updated notes'],
  },
  deleteNote: {
    given: async ({ customer, make }) => [`/notes/${await make('/notes', { customer, notes: 'n' })}`],
    tells: ['note.deleted'],
  },
  createTask: {
    given: async ({ customer }) => ['/tasks', { customer, name: 't', action: 'phone' }],
    tells: ['task.created'],
  },
  updateTask: {
    given: async ({ customer, make }) => {
      return [`/tasks/${await make('/tasks', { customer, name: 't', action: 'phone' })}`, { complete: true }];
    },
    tells: ['task.completed complete completed_date'],
  },
  deleteTask: {
    given: async ({ customer, make }) => [`/tasks/${await make('/tasks', { customer, name: 't', action: 'phone' })}`],
    tells: ['task.deleted'],
  },
  createPaymentSource: {
    given: async ({ customer }) => [`/customers/${customer}/payment_sources`, CARD],
    tells: ['payment_source.created', 'customer.updated payment_source'],
  },
  ...sources('Card', 'cards', CARD),
  ...sources('BankAccount', 'bank_accounts', BANK),
  createSubscription: {
    given: async ({ customer }) => ['/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 }],
    tells: ['subscription.created'],
  },
  updateSubscription: {
    given: async ({ customer, make }) => {
      const id = await make('/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 });
      return [`/subscriptions/${id}`, { cancel_at_period_end: true, quantity: 1 }];
    },
    tells: ['subscription.updated cancel_at_period_end'],
  },
  cancelSubscription: {
    given: async ({ customer, make }) => {
      return [`/subscriptions/${await make('/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 })}`];
    },
    tells: ['subscription.deleted canceled_at mrr status'],
  },
  createCreditBalanceAdjustment: {
    given: async ({ customer }) => ['/credit_balance_adjustments', { customer, amount: 5 }],
    tells: ['credit_balance_adjustment.created'],
  },
  updateCreditBalanceAdjustment: {
    given: async ({ customer, make }) => {
      const id = await make('/credit_balance_adjustments', { customer, amount: 5 });
      return [`/credit_balance_adjustments/${id}`, { amount: 6 }];
    },
    tells: ['credit_balance_adjustment.updated amount'],
  },
  deleteCreditBalanceAdjustment: {
    given: async ({ customer, make }) => {
      return [`/credit_balance_adjustments/${await make('/credit_balance_adjustments', { customer, amount: 5 })}`];
    },
    tells: ['credit_balance_adjustment.deleted'],
  },
};

/** The path of a pending line. */
async function pending({ customer, make }: Shop): Promise<string> {
  const path = `/customers/${customer}/line_items`;
  return `${path}/${await make(path, { name: 'Usage', unit_cost: 5 })}`;
}

/** Events of its customers go with it. */
export const clockRows: Record<string, Row> = {
  deleteTestClock: {
    given: async ({ make }) => {
      const test_clock = await make('/test_clocks', { frozen_time: 1_900_000_000 });
      await make('/customers', { name: 'Clocked', test_clock });
      return [`/test_clocks/${test_clock}`];
    },
    tells: [],
  },
};

/** A source that is not the default, made so; and one that is, deleted. */
function sources(kind: string, path: string, body: object): Record<string, Row> {
  return {
    [`update${kind}`]: {
      given: async ({ customer, make }) => {
        await make(`/customers/${customer}/payment_sources`, CARD);
        const other = { ...body, make_default: false };
        const second = await make(`/customers/${customer}/payment_sources`, other);
        return [`/customers/${customer}/${path}/${second}`, { make_default: true }];
      },
      // Which source is the default is said by the customer alone.
      tells: ['payment_source.updated', 'customer.updated payment_source'],
    },
    [`delete${kind}`]: {
      given: async ({ customer, make }) => [
        `/customers/${customer}/${path}/${await make(`/customers/${customer}/payment_sources`, body)}`,
      ],
      tells: ['payment_source.deleted chargeable failure_reason', 'customer.updated payment_source'],
    },
  };
}

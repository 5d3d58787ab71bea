import { fortyDaysAgo } from '../subscriptionSteps.ts';
import { BANK, CARD, type Row, type Shop } from './row.ts';

/** The event of an invoice that was consolidated into another one. */
const VOIDED = 'invoice.updated balance closed consolidated_into status';

/** Operations on customers and on objects that belong to them. */
export const customerRows: Record<string, Row> = {
  createCustomer: { request: async () => ['/customers', { name: 'New' }], events: ['customer.created'] },
  updateCustomer: {
    request: async ({ customer }) => [
      `/customers/${customer}`,
      { name: 'Other', notes: 'n', email: 'told@example.com' },
    ],
    events: ['customer.updated name notes'],
  },
  deleteCustomer: { request: async ({ customer }) => [`/customers/${customer}`], events: ['customer.deleted'] },
  anonymizeCustomer: {
    request: async ({ customer }) => [`/customers/${customer}/anonymize`],
    // `data.previous` does not repeat the anonymized names.
    events: ['customer.updated active'],
  },
  revokeCustomerLinks: {
    request: async ({ customer, make }) => {
      await make('/subscriptions', { customer, plan: 'told' });
      return [`/customers/${customer}/revoke_links`];
    },
    events: ['customer.updated statement_pdf_url', 'subscription.updated url'],
  },
  mergeCustomers: {
    request: async ({ customer, make }) => {
      const other = await make('/customers', { name: 'Merged' });
      await make('/customers', { name: 'Child', parent_customer: other });
      return [`/customers/${customer}/merge`, { customer: other }];
    },
    events: ['customer.merged active merged_into', 'customer.updated parent_customer'],
  },
  consolidateInvoices: {
    request: async ({ client, customer, invoice }) => {
      await client.patch(`/customers/${customer}`, { consolidated: true });
      await invoice(1);
      await invoice(2);
      return [`/customers/${customer}/consolidate_invoices`, { cutoff_date: 4_000_000_000 }];
    },
    events: [VOIDED, VOIDED, 'invoice.created'],
  },
  createPortalSession: {
    request: async ({ client, customer }) => {
      await client.patch('/account', { portal_return_urls: ['https://app.example/'] });
      return [`/customers/${customer}/portal_sessions`, { return_url: 'https://app.example/' }];
    },
    events: [],
  },
  createContact: {
    request: async ({ customer }) => [`/customers/${customer}/contacts`, { name: 'Grace' }],
    events: ['contact.created'],
  },
  updateContact: {
    request: async ({ customer, make }) => {
      const path = `/customers/${customer}/contacts`;
      return [`${path}/${await make(path, { name: 'Grace' })}`, { name: 'Grace', title: 'Admiral' }];
    },
    events: ['contact.updated title'],
  },
  deleteContact: {
    request: async ({ customer, make }) => {
      const path = `/customers/${customer}/contacts`;
      return [`${path}/${await make(path, { name: 'Grace' })}`];
    },
    events: ['contact.deleted'],
  },
  createPendingLineItem: {
    request: async ({ customer }) => [`/customers/${customer}/line_items`, { name: 'Usage', unit_cost: 5 }],
    events: ['line_item.created'],
  },
  updatePendingLineItem: {
    request: async (shop) => [await pending(shop), { name: 'Usage', quantity: 2 }],
    events: ['line_item.updated amount quantity'],
  },
  deletePendingLineItem: { request: async (shop) => [await pending(shop)], events: ['line_item.deleted'] },
  invoicePendingLineItems: {
    request: async (shop) => {
      await pending(shop);
      return [`/customers/${shop.customer}/invoices`];
    },
    // The lines have no events: they are part of the invoice.
    events: ['invoice.created'],
  },
  createNote: { request: async ({ customer }) => ['/notes', { customer, notes: 'n' }], events: ['note.created'] },
  updateNote: {
    request: async ({ customer, make }) => [`/notes/${await make('/notes', { customer, notes: 'n' })}`, { notes: 'm' }],
    events: ['note.updated notes'],
  },
  deleteNote: {
    request: async ({ customer, make }) => [`/notes/${await make('/notes', { customer, notes: 'n' })}`],
    events: ['note.deleted'],
  },
  createTask: {
    request: async ({ customer }) => ['/tasks', { customer, name: 't', action: 'phone' }],
    events: ['task.created'],
  },
  updateTask: {
    request: async ({ customer, make }) => {
      return [`/tasks/${await make('/tasks', { customer, name: 't', action: 'phone' })}`, { complete: true }];
    },
    events: ['task.completed complete completed_by_user_id completed_date'],
  },
  deleteTask: {
    request: async ({ customer, make }) => [`/tasks/${await make('/tasks', { customer, name: 't', action: 'phone' })}`],
    events: ['task.deleted'],
  },
  createPaymentSource: {
    request: async ({ customer }) => [`/customers/${customer}/payment_sources`, CARD],
    events: ['payment_source.created', 'customer.updated payment_source'],
  },
  verifyBankAccount: {
    request: async ({ customer, make }) => {
      const account = { method: 'ach', gateway_token: 'tok_110000000_000123456789' };
      const id = await make(`/customers/${customer}/payment_sources`, account);
      return [`/customers/${customer}/bank_accounts/${id}/verify`, { amounts: [0.35, 0.45] }];
    },
    events: ['payment_source.updated chargeable failure_reason verified', 'customer.updated payment_source'],
  },
  ...sources('Card', 'cards', CARD),
  ...sources('BankAccount', 'bank_accounts', BANK),
  createSubscription: {
    request: async ({ customer }) => ['/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 }],
    events: ['subscription.created'],
  },
  updateSubscription: {
    request: async ({ customer, make }) => {
      const id = await make('/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 });
      return [`/subscriptions/${id}`, { cancel_at_period_end: true, quantity: 1 }];
    },
    events: ['subscription.updated cancel_at_period_end'],
  },
  renewSubscription: {
    request: async ({ customer, make, takeSteps }) => {
      const contract = { start_date: fortyDaysAgo(), cycles: 1, contract_renewal_mode: 'manual' };
      const id = await make('/subscriptions', { customer, plan: 'told', ...contract });
      await takeSteps(id);
      return [`/subscriptions/${id}/renew`, { cycles: 2 }];
    },
    events: ['subscription.updated contract_period_end contract_period_start cycles pending_renewal'],
  },
  revokeSubscriptionLinks: {
    request: async ({ customer, make }) => {
      const id = await make('/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 });
      return [`/subscriptions/${id}/revoke_links`];
    },
    events: ['subscription.updated url'],
  },
  cancelSubscription: {
    request: async ({ customer, make }) => {
      return [`/subscriptions/${await make('/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 })}`];
    },
    events: ['subscription.deleted canceled_at mrr status'],
  },
  useSelfService: {
    request: async ({ client, customer, make }) => {
      await client.patch('/account', { portal_cancel: 'period_end' });
      const id = await make('/subscriptions', { customer, plan: 'told', start_date: 4_000_000_000 });
      return [`/subscriptions/${id}/self_service`, { action: 'cancel', reason: 'unused' }];
    },
    events: ['subscription.updated cancel_at_period_end cancellation_reason'],
  },
  createUsage: {
    request: async ({ make, customer }) => {
      const plan = { id: 'told-calls', name: 'Calls', amount: 1, interval: 'month', quantity_type: 'usage' };
      await make('/plans', plan);
      const id = await make('/subscriptions', { customer, plan: 'told-calls' });
      return [`/subscriptions/${id}/usage`, { quantity: 1, idempotency_key: 'one' }];
    },
    events: [],
  },
  createUsageBatch: {
    request: async ({ make, customer }) => {
      const plan = { id: 'told-data', name: 'Data', amount: 1, interval: 'month', quantity_type: 'usage' };
      await make('/plans', plan);
      const id = await make('/subscriptions', { customer, plan: 'told-data' });
      return [`/subscriptions/${id}/usage/batch`, { usage: [{ quantity: 1, idempotency_key: 'one' }] }];
    },
    events: [],
  },
  createCreditBalanceAdjustment: {
    request: async ({ customer }) => ['/credit_balance_adjustments', { customer, amount: 5 }],
    events: ['credit_balance_adjustment.created'],
  },
  updateCreditBalanceAdjustment: {
    request: async ({ customer, make }) => {
      const id = await make('/credit_balance_adjustments', { customer, amount: 5 });
      return [`/credit_balance_adjustments/${id}`, { amount: 6 }];
    },
    events: ['credit_balance_adjustment.updated amount'],
  },
  deleteCreditBalanceAdjustment: {
    request: async ({ customer, make }) => {
      return [`/credit_balance_adjustments/${await make('/credit_balance_adjustments', { customer, amount: 5 })}`];
    },
    events: ['credit_balance_adjustment.deleted'],
  },
};

/** Creates a pending line. Returns its path. */
async function pending({ customer, make }: Shop): Promise<string> {
  const path = `/customers/${customer}/line_items`;
  return `${path}/${await make(path, { name: 'Usage', unit_cost: 5 })}`;
}

/** A deleted test clock takes its customers and their events along. */
export const clockRows: Record<string, Row> = {
  deleteTestClock: {
    request: async ({ make }) => {
      const test_clock = await make('/test_clocks', { frozen_time: 1_900_000_000 });
      await make('/customers', { name: 'Clocked', test_clock });
      return [`/test_clocks/${test_clock}`];
    },
    events: [],
  },
};

/** Makes a second source the default one, and deletes a default source. */
function sources(kind: string, path: string, body: object): Record<string, Row> {
  return {
    [`update${kind}`]: {
      request: async ({ customer, make }) => {
        await make(`/customers/${customer}/payment_sources`, CARD);
        const other = { ...body, make_default: false };
        const second = await make(`/customers/${customer}/payment_sources`, other);
        return [`/customers/${customer}/${path}/${second}`, { make_default: true }];
      },
      // Only the customer says which source is the default.
      events: ['payment_source.updated', 'customer.updated payment_source'],
    },
    [`delete${kind}`]: {
      request: async ({ customer, make }) => [
        `/customers/${customer}/${path}/${await make(`/customers/${customer}/payment_sources`, body)}`,
      ],
      events: ['payment_source.deleted chargeable failure_reason', 'customer.updated payment_source'],
    },
  };
}

import type { Actor } from './actor.ts';
import { moneyOf } from './shop.ts';

/** Documents and credit: what customers owe, and what they are owed. */

const lines = (unit_cost: number) => [{ name: 'Work', quantity: 1, unit_cost }];

export const documentOperations: Readonly<Record<string, (at: Actor) => Promise<void>>> = {
  invoice: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    const { status, body } = await at.ask('POST', '/invoices', { customer, items: lines(at.part(100)) });
    if (status === 201) at.keep('invoice', { id: body.id, customer });
  },
  voidInvoice: async (at) => {
    const known = at.recent('invoice');
    if (known) await at.ask('POST', `/invoices/${known.id}/void`);
  },
  closeInvoice: async (at) => {
    const known = at.recent('invoice');
    if (known) await at.ask('PATCH', `/invoices/${known.id}`, { closed: at.random() < 0.6 });
  },
  creditNote: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    const corrected = at.random() < 0.5 ? at.recent('invoice', customer) : null;
    const of = corrected ? { invoice: corrected.id } : {};
    const { status, body } = await at.ask('POST', '/credit_notes', { customer, items: lines(at.part(40)), ...of });
    if (status === 201) at.keep('credit_note', { id: body.id, customer });
  },
  voidCreditNote: async (at) => {
    const known = at.recent('credit_note');
    if (known) await at.ask('POST', `/credit_notes/${known.id}/void`);
  },
  adjust: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    const amount = at.part(50) * (at.random() < 0.7 ? 1 : -1);
    const { status, body } = await at.ask('POST', '/credit_balance_adjustments', { customer, amount });
    if (status === 201) at.keep('adjustment', { id: body.id, customer });
  },
  deleteAdjustment: async (at) => {
    const known = at.recent('adjustment');
    if (known) await at.ask('DELETE', `/credit_balance_adjustments/${known.id}`);
  },
  estimate: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    const asked = { customer, items: lines(at.part(60)), deposit: 5 };
    const { status, body } = await at.ask('POST', '/estimates', asked);
    if (status === 201) at.keep('estimate', { id: body.id, customer });
  },
  payDeposit: async (at) => {
    const known = at.recent('estimate');
    if (!known) return;
    const { customer, id: estimate } = known;
    const amount = at.part(5);
    const applied_to = [{ type: 'estimate', estimate, amount }];
    const { status, body } = await at.ask('POST', '/payments', { customer, method: 'check', amount, applied_to });
    if (status !== 201) return;
    at.keep('payment', { id: body.id, customer });
    at.shop.payments.set(body.id, moneyOf(body));
  },
  invoiceEstimate: async (at) => {
    const known = at.recent('estimate');
    if (!known) return;
    const { status, body } = await at.ask('POST', `/estimates/${known.id}/invoice`);
    if (status < 300) at.keep('invoice', { id: body.id, customer: known.customer });
  },
};

import type { AttemptKind } from '../../../db/schema/attempt.ts';
import type { Product } from '../../support/product.ts';
import { invoiceFor } from '../../support/story.ts';
import { newPayer, token } from './payers.ts';

/** A request that calls the gateway. */
export interface Asked {
  customer: number;
  /** The invoice to pay, or 0. */
  invoice: number;
  method?: string;
  path: string;
  body: unknown;
}

/** Requests that call the gateway, each for a customer of its own. */
export const requests = {
  charge: async (product: Product): Promise<Asked> => {
    const customer = await newPayer(product, { autopay: false });
    const { id: invoice } = await invoiceFor(product, customer, 25);
    const applied_to = [{ type: 'invoice', invoice, amount: 25 }];
    const body = { customer, method: 'credit_card', amount: 25, gateway_token: token.pays, applied_to };
    return { customer, invoice, path: '/charges', body };
  },
  pay: async (product: Product): Promise<Asked> => {
    const customer = await newPayer(product, { autopay: true, autopayDelayDays: 1 });
    const { id: invoice } = await invoiceFor(product, customer, 25);
    return { customer, invoice, path: `/invoices/${invoice}/pay`, body: {} };
  },
  source: async (product: Product): Promise<Asked> => {
    const customer = (await product.call('POST', '/customers', { name: 'Payer' })).id;
    const body = { method: 'credit_card', gateway_token: token.pays };
    return { customer, invoice: 0, path: `/customers/${customer}/payment_sources`, body };
  },
  refund: async (product: Product): Promise<Asked> => {
    const paid = await requests.charge(product);
    const { charge } = await product.call('POST', paid.path, paid.body);
    return { ...paid, path: `/charges/${charge.id}/refunds`, body: { amount: 10 } };
  },
  verification: async (product: Product): Promise<Asked> => {
    const asked = await requests.source(product);
    const account = { method: 'ach', gateway_token: token.toVerify };
    const { id } = await product.call('POST', asked.path, account);
    const path = `/customers/${asked.customer}/bank_accounts/${id}/verify`;
    return { ...asked, path, body: { amounts: [0.35, 0.45] } };
  },
  deletion: async (product: Product): Promise<Asked> => {
    const asked = await requests.source(product);
    const { id } = await product.call('POST', asked.path, asked.body);
    return { ...asked, method: 'DELETE', path: `/customers/${asked.customer}/cards/${id}`, body: undefined };
  },
};

export type RequestKind = keyof typeof requests;

/** The operation of the gateway that a request is about. */
export const operations: Readonly<Record<RequestKind, AttemptKind>> = {
  charge: 'charge',
  pay: 'charge',
  source: 'vault',
  refund: 'refund',
  verification: 'verify_source',
  deletion: 'delete_source',
};

import type { Product } from '../../support/product.ts';

/** Objects of customers, from which later operations choose. */
export type Noun =
  | 'invoice'
  | 'payment'
  | 'charge'
  | 'credit_note'
  | 'adjustment'
  | 'estimate'
  | 'card'
  | 'bank_account';

export interface Known {
  id: number;
  customer: number;
}

/** The knowledge of the clients of one product, from the answers that they got. */
export interface Shop {
  product: Product;
  customers: number[];
  known: Record<Noun, Known[]>;
  /** Payments without a charge, by id: the money that the answer told. Null: voided. Their credit can be taken back later. */
  payments: Map<number, number | null>;
  /** Ids of charges and refunds of which an answer said that they succeeded. */
  charges: Set<number>;
  refunds: Set<number>;
  /** Requests that succeeded at least once, such as `POST /charges/:id/refunds`. */
  succeeded: Set<string>;
}

export function newShop(product: Product, customers: number[]): Shop {
  return {
    product,
    customers,
    known: {
      invoice: [],
      payment: [],
      charge: [],
      credit_note: [],
      adjustment: [],
      estimate: [],
      card: [],
      bank_account: [],
    },
    payments: new Map(),
    charges: new Set(),
    refunds: new Set(),
    succeeded: new Set(),
  };
}

/** The money of a payment in an answer: its amount without the credit that it spends. */
export function moneyOf({ amount, credit }: { amount: number; credit: number }): number {
  return Math.round((amount - credit) * 100) / 100;
}

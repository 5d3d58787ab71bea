import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { settleAttempt } from '../../commands/charges/attempts.ts';
import type { Answer } from './api.ts';
import { type Credits, cash, startCredits } from './credits.ts';

const DAY = 86_400_000;

/** Charges and refunds of cards, each test with a customer of its own. */
export interface Refunds {
  readonly books: Credits;
  /** Charges a card, and applies the money. Returns the payment. */
  charge(amount: number, applied_to: object[], card?: string): Promise<Answer['body']>;
  /** Charges a card for an invoice of this amount. */
  paidInvoice(amount: number, card?: string): Promise<{ invoice: number; payment: Answer['body'] }>;
  refund(payment: Answer['body'], amount: unknown, headers?: Record<string, string>): Promise<Answer>;
  read(payment: Answer['body']): Promise<Answer['body']>;
  /** Asks the gateway for the outcome of the last attempt. */
  lookUp(): Promise<void>;
  /** Lets days pass. */
  passDays(days: number): void;
}

/** Runs an API for the tests of a file. The functions can be taken out of the object, but not `books`. */
export function refundsOfCards(): Refunds {
  let books: Credits;
  let now = new Date('2027-03-01T10:00:00Z');
  beforeAll(async () => {
    books = await startCredits(() => now, 500);
  });
  afterAll(() => books.api.close());
  beforeEach(() => books.begin());

  const charge = async (amount: number, applied_to: object[], card = '4242424242424242') => {
    const asked = { customer: books.customer, method: 'credit_card', gateway_token: `tok_${card}` };
    return books.api.sandbox.make('/charges', { ...asked, amount, applied_to });
  };
  return {
    get books() {
      return books;
    },
    charge,
    paidInvoice: async (amount, card) => {
      const invoice = await books.invoice(amount);
      return { invoice, payment: await charge(amount, [cash(invoice, amount)], card) };
    },
    refund: (payment, amount, headers = {}) =>
      books.api.sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount }, headers),
    read: async (payment) => (await books.api.sandbox.get(`/payments/${payment.id}`)).body,
    lookUp: async () => {
      const { api, rows } = books;
      const [last] = await rows('select account_id, id from attempt order by id desc limit 1');
      const key = { accountId: Number(last?.account_id), id: Number(last?.id) };
      await settleAttempt({ ...api.deps, em: api.em }, key);
    },
    passDays: (days) => {
      now = new Date(now.getTime() + days * DAY);
    },
  };
}

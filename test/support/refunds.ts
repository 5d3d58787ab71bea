import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { settleAttempt } from '../../commands/charges/attempts.ts';
import type { AttemptDeps } from '../../commands/charges/openAttempt.ts';
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
  /** Asks the gateway for a return and disputes of the charge of a payment. */
  lookAt(payment: Answer['body'], gateways?: AttemptDeps['gateways']): Promise<void>;
  /** Asks the gateway for the outcome of the last attempt. */
  lookUp(): Promise<void>;
  /** Debits a bank account, and applies the money. Returns the payment. */
  debit(amount: number, applied_to: object[], account: string): Promise<Answer['body']>;
  /** Lets the gateway send its events, and looks at the charges that they are about. */
  hear(): Promise<void>;
  /** Lets days pass. */
  passDays(days: number): void;
}

/** Runs an API for the tests of a file. The functions can be taken out of the object, but not `books`. */
export function refundsOfCards(): Refunds {
  let books: Credits;
  let now = new Date('2027-03-01T10:00:00Z');
  beforeAll(async () => {
    books = await startCredits(() => now, 3000);
  });
  afterAll(() => books.api.close());
  beforeEach(() => books.begin());

  const charge = async (amount: number, applied_to: object[], card = '4242424242424242') => {
    const asked = { customer: books.customer, method: 'credit_card', gateway_token: `tok_${card}` };
    return books.api.sandbox.make('/charges', { ...asked, amount, applied_to });
  };
  const settle = (attempts: Record<string, unknown>[], gateways: AttemptDeps['gateways'] = books.api.deps.gateways) =>
    Promise.all(
      attempts.map(({ account_id, id }) => {
        const deps = { ...books.api.deps, gateways, em: books.api.em };
        return settleAttempt(deps, { accountId: Number(account_id), id: Number(id) });
      }),
    );
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
    lookAt: async (payment, gateways) => {
      const attempt = 'select account_id, attempt_id as id from charge where id = ?';
      await settle(await books.rows(attempt, [payment.charge.id]), gateways);
    },
    lookUp: async () => {
      await settle(await books.rows('select account_id, id from attempt order by id desc limit 1'));
    },
    debit: (amount, applied_to, account) =>
      books.api.sandbox.make('/charges', {
        customer: books.customer,
        method: 'ach',
        gateway_token: `tok_${account}`,
        amount,
        applied_to,
      }),
    hear: async () => {
      await books.api.gateway.sendEvents(books.api.origin);
      await settle(
        await books.rows(`select distinct account_id, attempt_id as id from gateway_event where state = 'received'`),
      );
    },
    passDays: (days) => {
      now = new Date(now.getTime() + days * DAY);
    },
  };
}

import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { createCipher, keyFingerprint } from '../../adapters/cipher.ts';
import { printGatewayAudit } from '../../bin/gatewayAudit.ts';
import { recover } from '../../bin/recover.ts';
import { settleAttempt } from '../../commands/charges/attempts.ts';
import { withAccount } from '../../db/tenant.ts';
import { signedEvent } from '../adapters/stripe/events.ts';
import type { Refund, StripeEvent } from '../adapters/stripe/world.ts';
import { type Answer, send } from './api.ts';
import { type Credits, cash, startCredits } from './credits.ts';
import { TEST_KEY } from './database.ts';
import { testConfig } from './product.ts';
import { steppedTime } from './steppedTime.ts';

const SECRET = 'whsec_of_the_shop';
const START = '2027-03-01T09:00:00Z';

/** Charges and refunds at the server that stands for Stripe, each test with a customer of its own. */
export interface StripeShop {
  readonly books: Credits;
  /** Charges a card for an invoice of this amount. Returns the payment. */
  paid(amount: number, token?: string): Promise<{ invoice: number; payment: Answer['body'] }>;
  refund(payment: Answer['body'], amount: number): Promise<Answer>;
  read(payment: Answer['body']): Promise<Answer['body']>;
  /** The refunds that Stripe has of the charge of a payment. */
  refundsAtStripe(payment: Answer['body']): Refund[];
  /** Delivers events of Stripe as often and in the order as they are given. */
  deliver(events: readonly StripeEvent[]): Promise<void>;
  /** All that Stripe has told since the test began. */
  told(): StripeEvent[];
  /** Looks at attempts as their processes do: those with an event or a due look-up, and the last one. */
  settle(): Promise<void>;
  moveHours(hours: number): void;
  /** Runs `recover --apply` and `audit --gateway`. Returns their exit codes and the lines of both. */
  recover(): Promise<{ codes: number[]; lines: string[] }>;
}

export function stripeShop(name = 'Rome2027'): StripeShop {
  const time = steppedTime(START);
  let books: Credits;
  let configuration = '';
  let begun = 0;
  beforeAll(async () => {
    books = await startCredits(time.systemNow, 20_000, { cipher: createCipher(TEST_KEY) });
    await books.rows(
      `insert into deployment (singleton, id, key_fingerprint, created_at) values (1, 'tests', ?, now())`,
      [keyFingerprint(TEST_KEY)],
    );
    const secrets = { secret_key: `sk_test_${name}`, publishable_key: `pk_test_${name}`, event_secret: SECRET };
    const merchant = await books.api.sandbox.make('/merchant_accounts', {
      gateway: 'stripe',
      name: 'Main',
      ...secrets,
    });
    configuration = `stripe_${books.api.sandbox.account.id}_${merchant.id}`;
  });
  afterAll(() => books.api.close());
  beforeEach(async () => {
    time.moveTo(START);
    begun = books.api.stripe.world.events.length;
    await books.begin();
  });
  const settleOne = (row: Record<string, unknown>) => {
    const key = { accountId: Number(row.account_id), id: Number(row.id) };
    return withAccount(key.accountId, () => settleAttempt(books.api.deps, key));
  };
  return {
    get books() {
      return books;
    },
    paid: async (amount, token = 'pm_card_visa') => {
      const invoice = await books.invoice(amount);
      const asked = { customer: books.customer, method: 'credit_card', gateway_token: token, amount };
      return {
        invoice,
        payment: await books.api.sandbox.make('/charges', { ...asked, applied_to: [cash(invoice, amount)] }),
      };
    },
    refund: (payment, amount) => books.api.sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount }),
    read: async (payment) => (await books.api.sandbox.get(`/payments/${payment.id}`)).body,
    refundsAtStripe: ({ charge }) =>
      [...books.api.stripe.world.refunds.values()].filter((refund) => refund.payment_intent === charge.gateway_id),
    deliver: async (events) => {
      for (const event of events) {
        const { headers, body } = signedEvent(event, { secret: SECRET, configuration });
        const signature = headers['stripe-signature'] ?? '';
        const sent = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
        const answer = await send(`${books.api.origin}/gateway_events/${configuration}`, {
          method: 'POST',
          headers: sent,
          body,
        });
        expect(answer.status).toBe(200);
      }
    },
    told: () => books.api.stripe.world.events.slice(begun),
    settle: async () => {
      const waiting = `select distinct account_id, attempt_id as id from gateway_event where state = 'received'
        union select account_id, max(id) from attempt where state in ('open', 'unknown', 'pending') group by 1
        union select account_id, subject_id from wakeup where process = 'charge' and rule = 'dispute' and at <= ?`;
      for (const row of await books.rows(waiting, [time.systemNow()])) await settleOne(row);
    },
    recover: async () => {
      const { host, port } = books.api.stripe.address;
      const server = { STRIPE_API: `http://${host}:${port}`, PERENNIAL_ENCRYPTION_KEY: TEST_KEY.toString('base64') };
      const config = testConfig({ DATABASE_URL: books.api.databaseUrl, ...server });
      const lines: string[] = [];
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const recovered = await recover(config, ['--since', since, '--apply'], (line) => lines.push(line));
      const audited = await printGatewayAudit(config, ['--gateway', '--since', since], (line) => lines.push(line));
      return { codes: [recovered, audited], lines };
    },
    moveHours: (hours) => time.moveTo(new Date(time.systemNow().getTime() + hours * 3_600_000).toISOString()),
  };
}

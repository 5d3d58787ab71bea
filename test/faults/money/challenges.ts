import { expect } from '@jest/globals';
import { type BegunByPage, left, type PayingPage, payOnPage, statusOf } from '../../support/presentPayers.ts';
import type { Product } from '../../support/product.ts';
import { newPayer } from './payers.ts';
import { capturesOf } from './recovery.ts';

/** An invoice and the charge of it that a page asks for. */
export interface Owed {
  customerId: number;
  invoiceId: number;
  amount: string;
}

/** The page of a product on which customers pay, and charges whose payers have to authenticate. */
export interface Challenges {
  page: PayingPage;
  owed(): Promise<Owed>;
  challenged(): Promise<{ asked: Owed; begun: BegunByPage }>;
  /**
   * Expects that the invoice is paid exactly if money was taken, once, and that otherwise it can be charged again. Returns whether it is
   * paid.
   */
  expectOneOutcome(begun: BegunByPage, asked: Owed): Promise<boolean>;
  /** The hour of attempts that wait for their payer is over, and their look-ups are due. */
  letHourPass(): Promise<void>;
}

export function challengesOf(product: Product): Challenges {
  const { deps, accountId } = product;
  const page = { deps, gateway: deps.testGateway, accountId };
  const owed = async () => {
    const customerId = await newPayer(product, { autopay: false });
    const items = [{ name: 'Work', quantity: 1, unit_cost: 12 }];
    const { id: invoiceId } = await product.call('POST', '/invoices', { customer: customerId, items });
    return { customerId, invoiceId, amount: '12.00' };
  };
  return {
    page,
    owed,
    challenged: async () => {
      const asked = await owed();
      return { asked, begun: await payOnPage(page, asked) };
    },
    expectOneOutcome: async (begun, asked) => {
      const captures = await capturesOf(product, asked.invoiceId);
      expect(captures).toBeLessThanOrEqual(1);
      const paid = captures === 1;
      expect(await statusOf(page, begun)).toMatchObject({ status: paid ? 'succeeded' : 'abandoned' });
      expect(await product.call('GET', `/invoices/${asked.invoiceId}`)).toMatchObject({ paid });
      if (!paid) await left(page, await payOnPage(page, asked));
      return paid;
    },
    letHourPass: async () => {
      await product.rows(
        `with aged as (
           update attempt set started_at = started_at - interval '1 hour' where state = 'waiting' returning account_id, id
         ), woken as (
           update outbox o set due_at = now(), start_at = null from aged
           where o.account_id = aged.account_id and o.topic = 'charge' and o.subject_id = aged.id
         )
         update wakeup w set at = now() from aged
         where w.account_id = aged.account_id and w.process = 'charge' and w.subject_id = aged.id`,
      );
    },
  };
}

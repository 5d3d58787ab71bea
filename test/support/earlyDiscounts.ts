import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { advanceSubscription } from '../../commands/subscriptions/steps/steps.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startApi, successBody, type TestApi } from './api.ts';

export const DAY = 86_400;
export const START = Date.parse('2027-03-01T12:00:00Z') / 1000;
/** The end of 11 March 2027 in New York, ten days after the date. */
export const ENDED = Date.parse('2027-03-12T05:00:00Z') / 1000;
/** 1000 x 2 % */
export const DROPPED = 'early-payment discount of 20.00 usd dropped';
export const GRANTED = 'early-payment discount of 20.00 usd granted';

/** For each test of a file, a customer with the terms `2% 10 NET 30`, at a time that the test moves. In the end, the books are audited. */
export class DiscountShop {
  now = START;
  customer = 0;
  private opened: TestApi | null = null;

  constructor() {
    beforeAll(async () => {
      this.opened = await startApi({ systemNow: () => new Date(this.now * 1000) });
      successBody(await this.api.sandbox.patch('/account', { time_zone: 'America/New_York' }));
    });
    afterAll(async () => {
      expect(await auditDatabase(this.api.databaseUrl)).toEqual([]);
      await this.api.close();
    });
    beforeEach(async () => {
      this.now = START;
      successBody(await this.api.sandbox.patch('/account', { late_fee_document: 'line' }));
      this.customer = (await this.api.sandbox.make('/customers', { name: 'Ann', payment_terms: '2% 10 NET 30' })).id;
    });
  }

  get api(): TestApi {
    if (!this.opened) throw new Error('the API is not started yet');
    return this.opened;
  }

  /** The documents of the seller never change once they are issued. */
  keepDocuments = async () => successBody(await this.api.sandbox.patch('/account', { late_fee_document: 'invoice' }));
  rows = (sql: string, values: unknown[]) => this.api.em.fork().execute<Record<string, unknown>[]>(sql, values);
  issue = async (body: object = {}): Promise<number> => {
    const asked = { customer: this.customer, items: [{ unit_cost: 1000 }], ...body };
    return (await this.api.sandbox.make('/invoices', asked)).id;
  };
  read = async (id: number) => (await this.api.sandbox.get(`/invoices/${id}`)).body;
  notes = async () => (await this.api.sandbox.get(`/credit_notes?filter[customer]=${this.customer}`)).body;
  lastEvent = async (id: number) => (await this.api.sandbox.get(`/events?related_to=invoice,${id}`)).body[0];
  pay = async (id: number, amount: number, more: object = {}): Promise<number> => {
    const applied_to = [{ type: 'invoice', invoice: id, amount }];
    return (await this.api.sandbox.make('/payments', { customer: this.customer, amount, applied_to, ...more })).id;
  };
  ledger = (id: number, reason: string) =>
    this.rows(
      'select ledger_account as account, amount::float8 as amount from ledger_entry where invoice_id = ? and reason = ? order by amount',
      [id, reason],
    );

  /** Takes the steps of a subscription that are due. */
  renew = async (id: number): Promise<void> => {
    const accountId = this.api.sandbox.account.id;
    const step = () =>
      withAccount(accountId, () =>
        inTransaction(this.api.deps.em, (em) => advanceSubscription(em, { accountId, id }, new Date(this.now * 1000))),
      );
    while ((await step()).did !== null);
  };

  /** Takes the steps of an invoice that are due at a time. */
  stepsAt = async (id: number, time: number): Promise<(string | null)[]> => {
    this.now = time;
    const accountId = this.api.sandbox.account.id;
    const key = { accountId, id, lookUpDelay: 60_000 };
    const did: (string | null)[] = [];
    for (;;) {
      const one = await withAccount(accountId, () =>
        inTransaction(this.api.deps.em, async (em) => (await advanceInvoice(em, key, new Date(time * 1000))).did),
      );
      if (one === null) return did;
      did.push(one);
    }
  };
}

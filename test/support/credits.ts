import { expect } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { startApi, type TestApi, unlessBusy } from './api.ts';

/** An API with one current customer, and short functions for its credit. */
export interface Credits {
  api: TestApi;
  customer: number;
  /** Creates a new customer, which becomes the current one. */
  begin(): Promise<void>;
  invoice(amount: number, more?: object): Promise<number>;
  readInvoice(id: number): Promise<Record<string, unknown>>;
  note(amount: number, more?: object): ReturnType<TestApi['sandbox']['post']>;
  readNote(id: number): Promise<Record<string, unknown>>;
  adjust(amount: number, more?: object): ReturnType<TestApi['sandbox']['post']>;
  pay(amount: number, applied_to: object[], more?: object): ReturnType<TestApi['sandbox']['post']>;
  /** The credit balance after each change, in order of time. */
  balances(): Promise<number[]>;
  /** Ledger entries that `work` wrote, summed by reason and account: "reason account amount", in alphabetical order. */
  entriesOf(work: () => Promise<unknown>): Promise<string[]>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Expects that the audit finds no drift. */
  expectCleanBooks(): Promise<void>;
}

/** `gatewayDeadline`: milliseconds after which a silent gateway counts as unheard. */
export async function startCredits(
  now: () => Date = () => new Date(),
  gatewayDeadline = 20_000,
  overrides: Parameters<typeof startApi>[0] = {},
): Promise<Credits> {
  const api = await startApi({ systemNow: now, gatewayDeadline, ...overrides });
  const { sandbox } = api;
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  const rows = (sql: string, values: unknown[] = []) => api.em.fork().execute<Record<string, unknown>[]>(sql, values);
  const line = (amount: number) => [{ name: 'x', unit_cost: amount }];
  const credits: Credits = {
    api,
    customer: 0,
    begin: async () => {
      credits.customer = (await sandbox.make('/customers', { name: 'Payer' })).id;
    },
    invoice: async (amount, more = {}) =>
      (await sandbox.make('/invoices', { customer: credits.customer, items: line(amount), ...more })).id,
    readInvoice: async (id) => (await sandbox.get(`/invoices/${id}`)).body,
    note: (amount, more = {}) =>
      sandbox.post('/credit_notes', { customer: credits.customer, items: line(amount), ...more }),
    readNote: async (id) => (await sandbox.get(`/credit_notes/${id}`)).body,
    adjust: (amount, more = {}) =>
      sandbox.post('/credit_balance_adjustments', { customer: credits.customer, amount, ...more }),
    pay: (amount, applied_to, more = {}) =>
      unlessBusy(() => sandbox.post('/payments', { customer: credits.customer, amount, applied_to, ...more })),
    balances: async () => {
      const changes = await rows(
        `select balance::float8 as balance from credit_balance_change where customer_id = ?
         order by at, amount < 0, id`,
        [credits.customer],
      );
      return changes.map(({ balance }) => Number(balance));
    },
    entriesOf: async (work) => {
      const [{ last } = { last: 0 }] = await rows('select coalesce(max(id), 0) as last from ledger_entry');
      await work();
      const entries = await rows(
        `select reason, ledger_account, sum(amount)::float8 as amount from ledger_entry where id > ?
         group by 1, 2 having sum(amount) <> 0`,
        [last],
      );
      return entries.map(({ reason, ledger_account, amount }) => `${reason} ${ledger_account} ${amount}`).sort();
    },
    rows,
    expectCleanBooks: async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]),
  };
  return credits;
}

/** Applications of payments. */
export const cash = (invoice: number, amount: number) => ({ type: 'invoice', invoice, amount });
export const credit = (amount: number) => ({ type: 'credit', amount });
export const spend = (invoice: number, amount: number) => ({ type: 'applied_credit', invoice, amount });
export const byNote = (credit_note: number, invoice: number, amount: number) => {
  return { type: 'credit_note', credit_note, document_type: 'invoice', invoice, amount };
};
export const noteToBalance = (credit_note: number, amount: number) => ({ type: 'credit', credit_note, amount });

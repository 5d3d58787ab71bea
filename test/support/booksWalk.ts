import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Answer, Client, TestApi } from './api.ts';
import { randomOf } from './random.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Time of the test, in milliseconds. */
export interface BooksTime {
  now: number;
}

/** Whatever changes the ledger, in random order, and what has been refused. */
export class BooksWalk {
  readonly #api: TestApi;
  readonly #client: Client;
  readonly #time: BooksTime;
  readonly #random: () => number;
  #customers: number[] = [];
  /** How often each act was carried out. */
  readonly done = new Map<string, number>();

  constructor(at: { api: TestApi; client: Client; time: BooksTime }, seed: number) {
    this.#api = at.api;
    this.#client = at.client;
    this.#time = at.time;
    this.#random = randomOf(seed);
  }

  async start(): Promise<void> {
    const { make } = this.#client;
    for (const name of ['A', 'B', 'C', 'D']) this.#customers.push((await make('/customers', { name })).id);
    await make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
    await make('/late_fee_schedules', { name: 'Late', amount: 10, grace_period_days: 3, default: true });
  }

  /** Some hours later, one act and the due steps of its invoice. Refused acts change nothing. */
  async step(): Promise<void> {
    this.#time.now += Math.floor(this.#random() * 40) * HOUR;
    const [name, act] = this.#pick(this.#acts) ?? ['', async () => null];
    const answer = await act(this.#pick(this.#customers) ?? 0);
    if (answer && answer.status >= 500) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer && answer.status < 300) this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  readonly #acts: [string, (customer: number) => Promise<Answer | null>][] = [
    ['invoice', (customer) => this.#invoice(customer)],
    ['invoice', (customer) => this.#invoice(customer)],
    ['pay', (customer) => this.#pay(customer)],
    ['pay', (customer) => this.#pay(customer)],
    [
      'advance',
      (customer) => this.#client.post('/payments', { customer, amount: this.#part(300), date: this.#ago(40) }),
    ],
    ['apply', (customer) => this.#apply(customer)],
    ['void payment', (customer) => this.#ofPayment(customer, (id) => this.#client.delete(`/payments/${id}`))],
    [
      'date payment',
      (of) => this.#ofPayment(of, (id) => this.#client.patch(`/payments/${id}`, { date: this.#ago(50) })),
    ],
    ['return', (customer) => this.#return(customer)],
    ['refund', (customer) => this.#refundCredit(customer)],
    ['void', (customer) => this.#ofInvoice(customer, (id) => this.#client.post(`/invoices/${id}/void`))],
    ['delete', (customer) => this.#ofInvoice(customer, (id) => this.#client.delete(`/invoices/${id}`))],
    ['date', (of) => this.#ofInvoice(of, (id) => this.#client.patch(`/invoices/${id}`, { date: this.#ago(60) }))],
    ['amount', (of) => this.#ofInvoice(of, (id) => this.#client.patch(`/invoices/${id}`, { items: this.#items() }))],
    [
      'give up',
      (customer) => this.#ofInvoice(customer, (id) => this.#client.patch(`/invoices/${id}`, { closed: true })),
    ],
    [
      'reopen',
      (customer) => this.#ofInvoice(customer, (id) => this.#client.patch(`/invoices/${id}`, { closed: false })),
    ],
    ['write off', (customer) => this.#writeOff(customer)],
    ['late fee', (customer) => this.#ofInvoice(customer, (id) => this.#takeSteps(id))],
    ['late fee', (customer) => this.#ofInvoice(customer, (id) => this.#takeSteps(id))],
    ['credit note', (customer) => this.#creditNote(customer)],
    ['credit', (customer) => this.#credit(customer)],
    ['merge', (customer) => this.#merge(customer)],
  ];

  #pick<Value>(of: readonly Value[]): Value | undefined {
    return of[Math.floor(this.#random() * of.length)];
  }

  #part(most: number): number {
    return Math.max(0.01, Math.floor(this.#random() * most * 100) / 100);
  }

  /** A time of at most so many days ago, in seconds. */
  #ago(days: number): number {
    return Math.floor((this.#time.now - Math.floor(this.#random() * days) * DAY) / 1000);
  }

  #items() {
    return [{ name: 'Work', unit_cost: this.#part(500), taxes: this.#random() < 0.5 ? ['vat'] : [] }];
  }

  #invoice(customer: number): Promise<Answer> {
    const date = this.#ago(40);
    return this.#client.post('/invoices', { customer, items: this.#items(), date, due_date: date + 10 * 86_400 });
  }

  async #ofInvoice(customer: number, act: (id: number, balance: number) => Promise<Answer | null>) {
    const { body } = await this.#client.get(`/invoices?filter[customer]=${customer}&per_page=100`);
    const rows: { id: number; balance: number; status: string }[] = body;
    // Half of the acts concern an invoice that is open, of which most acts are not refused.
    const open = this.#random() < 0.5 ? rows.filter(({ balance }) => balance > 0) : [];
    const found = this.#pick(open.length > 0 ? open : rows);
    return found ? act(found.id, found.balance) : null;
  }

  async #ofPayment(customer: number, act: (id: number, amount: number) => Promise<Answer | null>) {
    const { body } = await this.#client.get(`/payments?filter[customer]=${customer}&filter[voided]=false&per_page=100`);
    const found = this.#pick<{ id: number; amount: number }>(body);
    return found ? act(found.id, found.amount) : null;
  }

  #pay(customer: number) {
    return this.#ofInvoice(customer, (invoice, balance) => {
      const amount = this.#part(Math.max(balance, 1));
      const applied_to = [{ type: 'invoice', invoice, amount }];
      const method = this.#pick(['check', 'cash', 'wire_transfer']) ?? 'check';
      return this.#client.post('/payments', { customer, amount, date: this.#ago(40), method, applied_to });
    });
  }

  #apply(customer: number) {
    return this.#ofPayment(customer, (payment, amount) =>
      this.#ofInvoice(customer, (invoice, balance) => {
        const applied_to = [{ type: 'invoice', invoice, amount: Math.min(amount, balance) }];
        return this.#client.patch(`/payments/${payment}`, { applied_to: this.#random() < 0.5 ? [] : applied_to });
      }),
    );
  }

  #return(customer: number) {
    return this.#ofPayment(customer, (payment, amount) => {
      const back = { payment, amount, method: 'wire_transfer', date: this.#ago(20) };
      return this.#client.post('/refunds', { ...back, returned: this.#random() < 0.5 });
    });
  }

  #refundCredit(customer: number) {
    return this.#client.post('/refunds', { customer, currency: 'usd', amount: this.#part(20), method: 'check' });
  }

  #writeOff(customer: number) {
    return this.#ofInvoice(customer, (id, balance) =>
      this.#client.post(`/invoices/${id}/write_off`, { amount: this.#part(balance), reason: 'Goodwill' }),
    );
  }

  #creditNote(customer: number) {
    return this.#ofInvoice(customer, (invoice, balance) => {
      const items = [{ name: 'Less', unit_cost: this.#part(balance) }];
      const of = this.#random() < 0.5 ? { invoice } : {};
      return this.#client.post('/credit_notes', { customer, items, date: this.#ago(40), ...of });
    });
  }

  #credit(customer: number) {
    const amount = this.#part(50);
    return this.#client.post('/credit_balance_adjustments', { customer, currency: 'usd', amount, date: this.#ago(40) });
  }

  /** A new customer in place of one that is merged into another. */
  async #merge(customer: number): Promise<Answer | null> {
    const other = this.#pick(this.#customers.filter((id) => id !== customer));
    if (other === undefined || this.#random() < 0.8) return null;
    const answer = await this.#client.post(`/customers/${other}/merge`, { customer });
    const { id } = await this.#client.make('/customers', { name: 'New' });
    this.#customers = [...this.#customers.filter((one) => one !== customer), id];
    return answer;
  }

  /** Takes the due steps of an invoice, such as a late fee. */
  async #takeSteps(id: number): Promise<Answer | null> {
    const accountId = this.#client.account.id;
    const key = { accountId, id, lookUpDelay: 60_000 };
    const at = new Date(this.#time.now);
    const one = () => inTransaction(this.#api.deps.em, (em) => advanceInvoice(em, key, at));
    let fees = 0;
    while ((await withAccount(accountId, one)).did !== null) fees++;
    if (fees > 0) this.done.set('steps', (this.done.get('steps') ?? 0) + fees);
    return null;
  }
}

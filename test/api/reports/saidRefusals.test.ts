import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { taskOutcomes } from '../../../billing/collection/taskOutcome.ts';
import { en } from '../../../words/refusals/en.ts';
import type { RefusalWords } from '../../../words/refusals/wording.ts';
import { valuesIn } from '../../../words/text.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { doJob } from '../../support/bulkWork.ts';
import { seedDispute } from '../../support/disputes.ts';

/** What acts on many objects refuse is said in the language of the person. Each reason is provoked, so that a changed message is noticed. */

let api: TestApi;
let client: Client;
let ada: number;
const NOW = '2028-02-29T18:00:00Z';
const at = (day: string) => Date.parse(`${day}T12:00Z`) / 1000;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(NOW) });
  client = api.sandbox;
  await client.patch('/account', { portal_disputes: true, dispute_hold_days: 5 });
  await client.make('/email_templates', {
    id: 'offer',
    name: 'Offer',
    language: 'en',
    template: 'estimate_email',
    subject: 'Offer',
  });
});
beforeEach(async () => {
  ada = await customerOf();
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

async function customerOf(more: object = { email: 'ada@example.com' }): Promise<number> {
  return (await client.make('/customers', { name: 'Ada', ...more })).id;
}

async function document(list: string, more: object = {}): Promise<number> {
  return (await client.make(`/${list}`, { customer: ada, items: [{ name: 'Hour', unit_cost: 10 }], ...more })).id;
}

const invoice = (more?: object) => document('invoices', more);
const estimate = (more?: object) => document('estimates', more);
const note = (more?: object) => document('credit_notes', more);

/** The object after a change by another request. */
async function after(id: Promise<number>, change: (id: number) => Promise<{ status: number; body: unknown }>) {
  const found = await id;
  const { status, body } = await change(found);
  if (status >= 400) throw new Error(JSON.stringify(body));
  return found;
}

const voided = (list: string) =>
  after(
    customerOf().then((customer) => document(list, { customer })),
    (id) => client.post(`/${list}/${id}/void`),
  );
const pay = (applied_to: object[], amount = 10) => client.post('/payments', { customer: ada, amount, applied_to });
const paid = () => after(invoice(), (id) => pay([{ type: 'invoice', invoice: id, amount: 10 }]));
const closed = () => after(invoice(), (id) => client.patch(`/invoices/${id}`, { closed: true }));

/** An invoice whose row says what the gateway or AutoPay would make of it. */
async function changed(columns: string): Promise<number> {
  const id = await invoice();
  await api.em.fork().execute(`update invoice set ${columns} where account_id = ? and id = ?`, [client.account.id, id]);
  return id;
}

async function charging(): Promise<number> {
  const id = await invoice();
  const applied_to = [{ type: 'invoice', invoice: id, amount: 10 }];
  await client.post('/charges', {
    customer: ada,
    amount: 10,
    method: 'credit_card',
    gateway_token: 'tok_4000000000000002',
    applied_to,
  });
  const rows = await api.em
    .fork()
    .execute('update attempt_invoice set undecided = true where account_id = ? and invoice_id = ? returning 1', [
      client.account.id,
      id,
    ]);
  expect(rows).toHaveLength(1);
  return id;
}

/** Takes back what a credit note pays. */
async function unapplied(note: number): Promise<void> {
  const [row] = await api.em
    .fork()
    .execute<{ id: number }[]>(
      'select payment_id as id from payment_application where account_id = ? and credit_note_id = ?',
      [client.account.id, note],
    );
  expect((await client.delete(`/payments/${row?.id}`)).status).toBe(200);
}

/** A credit note whose excess became credit, which was spent. */
async function spentNote(): Promise<number> {
  const of = await invoice();
  await note({ invoice: of, items: [{ name: 'Hour', unit_cost: 6 }] });
  const id = await note({ invoice: of, items: [{ name: 'Hour', unit_cost: 10 }], force: true, reason: 'Goodwill' });
  await invoice({ items: [{ name: 'Hour', unit_cost: 6 }] }); // credit pays it at its issue
  await unapplied(id);
  return id;
}

async function merged(): Promise<number> {
  return after(customerOf(), (id) => client.post(`/customers/${ada}/merge`, { customer: id }));
}

const GONE = async () => 999_999;
const noMail = () => customerOf({});
const template = (name: string) => ({ template: name });

type Case = [keyof RefusalWords, action: string, list: string, make: () => Promise<number>, parameters?: object];

const cases: Case[] = [
  ['invoiceMissing', 'send', 'invoices', GONE],
  ['invoiceDraft', 'send', 'invoices', () => invoice({ draft: true })],
  ['invoiceIsVoided', 'send', 'invoices', () => voided('invoices')],
  ['noRecipients', 'send', 'invoices', async () => invoice({ customer: await noMail() })],
  ['notPaidTemplate', 'send', 'invoices', () => invoice(), template('paid_invoice_email')],
  ['paidTemplate', 'send', 'invoices', paid, template('unpaid_invoice_email')],
  ['closedTemplate', 'send', 'invoices', closed, template('unpaid_invoice_email')],
  ['templateUnknown', 'send', 'invoices', () => invoice(), template('q'.repeat(80))],
  ['templateNear', 'send', 'invoices', () => invoice(), template('new_invoice_emial')],
  ['templateOfOther', 'send', 'invoices', () => invoice(), template('estimate_email')],
  ['templateOfOtherKind', 'send', 'invoices', () => invoice(), template('offer-en')],
  ['estimateMissing', 'send', 'estimates', GONE],
  ['estimateDraft', 'send', 'estimates', () => estimate({ draft: true })],
  ['estimateIsVoided', 'send', 'estimates', () => voided('estimates')],
  ['noRecipients', 'send', 'estimates', async () => estimate({ customer: await noMail() })],
  ['creditNoteMissing', 'send', 'credit_notes', GONE],
  ['creditNoteDraft', 'send', 'credit_notes', () => note({ draft: true })],
  ['creditNoteIsVoided', 'send', 'credit_notes', () => voided('credit_notes')],
  ['noRecipients', 'send', 'credit_notes', async () => note({ customer: await noMail() })],
  ['nothingToRemind', 'remind', 'invoices', paid],
  ['invoiceDraft', 'remind', 'invoices', () => invoice({ draft: true })],
  ['paymentOnItsWay', 'remind', 'invoices', () => changed('pending = true')],
  ['autopay', 'remind', 'invoices', () => changed("next_payment_attempt_at = '2030-03-04T12:00:00Z'")],
  [
    'promised',
    'remind',
    'invoices',
    () =>
      after(invoice(), (id) => client.patch(`/invoices/${id}`, { expected_payment_date: { date: at('2028-03-04') } })),
  ],
  [
    'paymentDisputed',
    'remind',
    'invoices',
    async () => {
      const id = await invoice();
      await seedDispute(api, client, ada, [{ type: 'invoice', invoice: id, amount: 3 }]);
      return id;
    },
  ],
  [
    'lineDisputed',
    'remind',
    'invoices',
    () =>
      after(invoice(), async (id) => {
        const { body } = await client.get(`/invoices/${id}`);
        return client.post(`/invoices/${id}/dispute`, { line_item: body.items[0].id, reason: 'Broken' });
      }),
  ],
  [
    'noInstallment',
    'remind',
    'invoices',
    () =>
      after(invoice(), (id) => {
        const installments = [
          { date: at('2028-03-10'), amount: 4 },
          { date: at('2028-04-10'), amount: 6 },
        ];
        return client.request('PUT', `/invoices/${id}/payment_plan`, { installments });
      }),
  ],
  ['customerMissing', 'assign', 'customers', GONE, { owner: null }],
  ['merged', 'assign', 'customers', merged, { owner: null }],
  ['invoiceAlreadyVoided', 'void', 'invoices', () => voided('invoices')],
  ['paymentsApplied', 'void', 'invoices', paid],
  [
    'corrected',
    'void',
    'invoices',
    async () => {
      const id = await invoice();
      const correction = await note({ invoice: id, items: [{ name: 'Hour', unit_cost: 2 }] });
      await unapplied(correction);
      return id;
    },
  ],
  ['charging', 'void', 'invoices', charging],
  ['estimateAlreadyVoided', 'void', 'estimates', () => voided('estimates')],
  ['estimateInvoiced', 'void', 'estimates', () => after(estimate(), (id) => client.post(`/estimates/${id}/invoice`))],
  [
    'depositPaid',
    'void',
    'estimates',
    () => after(estimate({ deposit: 4 }), (id) => pay([{ type: 'estimate', estimate: id, amount: 4 }], 4)),
  ],
  ['creditNoteAlreadyVoided', 'void', 'credit_notes', () => voided('credit_notes')],
  [
    'noteApplied',
    'void',
    'credit_notes',
    async () => note({ invoice: await invoice(), items: [{ name: 'Hour', unit_cost: 2 }] }),
  ],
  ['creditSpent', 'void', 'credit_notes', spentNote],
  ['draftNotOwed', 'write_off', 'invoices', () => invoice({ draft: true }), { reason: 'Insolvent' }],
  ['paidNotCollected', 'write_off', 'invoices', paid, { reason: 'Insolvent' }],
  ['closedNotCollected', 'write_off', 'invoices', closed, { reason: 'Insolvent' }],
  ['voidedNotCollected', 'write_off', 'invoices', () => voided('invoices'), { reason: 'Insolvent' }],
  ['customerMissing', 'statement', 'customers', GONE],
  ['merged', 'statement', 'customers', merged],
  ['noRecipients', 'statement', 'customers', noMail],
  ['foreignCurrency', 'statement', 'customers', () => customerOf(), { currency: 'jpy' }],
  ['endsBefore', 'statement', 'customers', () => customerOf(), { start: at('2028-02-10'), end: at('2028-02-03') }],
  ['beginsLater', 'statement', 'customers', () => customerOf(), { start: at('2028-05-10'), end: at('2028-06-10') }],
  ['onlyOpenItem', 'statement', 'customers', () => customerOf(), { type: 'balance_forward', items: 'open' }],
];

/** The only refused row of a job, in a language. */
async function reasonIn(job: number, language: string): Promise<string> {
  const { headers, body } = await client.request('GET', `/jobs/${job}`, undefined, { 'accept-language': language });
  expect(headers.get('content-language')).toBe(language.slice(0, 2));
  expect(headers.get('vary')).toMatch('Accept-Language');
  expect(body).toMatchObject({ refused_count: 1, refused: [{ code: expect.stringMatching(/^[a-z_]+$/) }] });
  return body.refused[0].reason;
}

test.each(cases)('%s, by %s of %s', async (name, action, list, make, parameters = {}) => {
  const { id } = await client.make('/jobs', { type: 'bulk', action, list, ids: [await make()], parameters });
  await doJob(api, { accountId: client.account.id, id });
  const reason = await reasonIn(id, 'en');
  expect(valuesIn(en[name], reason)).not.toBeNull();
  for (const language of ['de-AT', 'ja']) {
    const said = await reasonIn(id, language);
    expect(said).not.toBe(reason);
    expect(said).not.toMatch(/[{}]/);
    for (const [value, text] of Object.entries(valuesIn(en[name], reason) ?? {}))
      if (value !== 'day') expect(said).toContain(text);
  }
});

test('days are written as the language writes them, in lists of jobs as well', async () => {
  const { headers, body } = await client.request('GET', '/jobs?per_page=100', undefined, { 'accept-language': 'de' });
  expect(headers.get('content-language')).toBe('de');
  const reasons = body.flatMap((job: { refused: { reason: string }[] }) => job.refused.map(({ reason }) => reason));
  expect(reasons).toContainEqual(expect.stringMatching(/^INV-\d+ ist für den 4\. März 2028 zugesagt$/));
  expect(reasons).toContainEqual(expect.stringMatching(/^AutoPay bucht INV-\d+ am 4\. März 2030 ab$/));
});

test('errors are said in the language, with the same code and param', async () => {
  const id = await voided('invoices');
  const german = { 'accept-language': 'de-CH, en;q=0.5' };
  const code = { code: 'state_conflict' };
  expect(await client.post(`/invoices/${id}/void`, undefined, german)).toMatchObject(
    refused({ ...code, message: 'Die Rechnung ist schon storniert' }),
  );
  for (const language of ['en', '*', 'xx', 'pt-BR'])
    expect(await client.post(`/invoices/${id}/void`, undefined, { 'accept-language': language })).toMatchObject(
      refused({ ...code, message: 'Invoice is already voided' }),
    );
});

test('what became of a task is said in the language; what somebody wrote stays', async () => {
  const make = (outcome: string) => client.make('/tasks', { name: 'Call', action: 'phone', customer: ada, outcome });
  const [known, own] = [await make(taskOutcomes.promise_kept), await make('She promised again')];
  const read = async (id: number) =>
    (await client.request('GET', `/tasks/${id}`, undefined, { 'accept-language': 'fr' })).body;
  expect(await read(known.id)).toMatchObject({ outcome: 'La promesse a été tenue', name: 'Call' });
  expect(await read(own.id)).toMatchObject({ outcome: 'She promised again' });
  expect((await client.get(`/tasks/${known.id}`)).body).toMatchObject({ outcome: 'the promise was kept' });
});

test('requests for one object are refused in the language of the person, with what a customer is kept for', async () => {
  const headers = { 'accept-language': 'de' };
  const { id: invoice } = await client.make('/invoices', { customer: ada, items: [{ name: 'Work', unit_cost: 5 }] });
  const kept = await client.request('DELETE', `/customers/${ada}`, undefined, headers);
  expect(kept.body.message).toBe(
    `Kunde ${ada} hat ausgestellte Rechnungen und lässt sich nicht löschen: Deaktivieren Sie ihn stattdessen mit active: false`,
  );
  const stale = await client.patch(`/invoices/${invoice}`, { notes: 'x' }, { ...headers, 'if-match': '"old"' });
  expect(stale.body.message).toMatch(/^Das Objekt hat sich geändert, seit es gelesen wurde/);
  const nameless = await client.post('/customers', { email: 'x' }, headers);
  expect(nameless.body.message).toMatch(/^(Angabe fehlt: Name|Keine gültige E-Mail-Adresse in Email: x)$/);
});

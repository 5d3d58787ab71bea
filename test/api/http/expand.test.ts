import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Kind } from '../../../api/framework/kind.ts';
import { id, integer, type ObjectShape, type Property, shape } from '../../../api/framework/shape.ts';
import { routes } from '../../../api/resources/routes.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
let customer: number;
let subscription: number;
let invoice: number;
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  customer = (await sandbox.make('/customers', { name: 'Related' })).id;
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  subscription = (await sandbox.make('/subscriptions', { customer, plan: 'gold' })).id;
  const key = { accountId: sandbox.account.id, id: subscription };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date()));
  invoice = (await sandbox.get('/invoices')).body[0].id;
  const applied_to = [{ type: 'invoice', invoice, amount: 4 }];
  await sandbox.post('/payments', { customer, amount: 4, applied_to });
});
afterAll(() => api.close());

const read = async (path: string) => (await api.sandbox.get(path)).body;

test('a dotted path expands an object within an expanded object, alone and in a list', async () => {
  const one = await read(`/invoices/${invoice}?expand=subscription.plan`);
  expect(missingFields('subscription', one.subscription)).toEqual([]);
  expect(missingFields('plan', one.subscription.plan)).toEqual([]);
  expect(one).toMatchObject({
    customer,
    subscription: { id: subscription, customer, plan: { id: 'gold', amount: 10 } },
  });
  expect(await read('/invoices?expand=subscription.plan')).toEqual([one]);
});

test('several relations are expanded at once, each as deep as requested', async () => {
  const both = await read(`/invoices/${invoice}?expand=customer,subscription.customer`);
  const who = { object: 'customer', id: customer, name: 'Related' };
  expect(both).toMatchObject({ customer: who, subscription: { plan: 'gold', customer: who } });
  expect(await read(`/invoices/${invoice}?expand=subscription`)).toMatchObject({
    customer,
    subscription: { object: 'subscription', customer, plan: 'gold' },
  });
});

test('unknown paths in expand and include change nothing', async () => {
  const plain = await read(`/invoices/${invoice}`);
  for (const query of ['expand=nothing,items.price,x.y', 'include=applied_to,nothing', 'expand=&include='])
    expect(await read(`/invoices/${invoice}?${query}`)).toEqual(plain);
  const [payment] = await read('/payments');
  expect(payment).not.toHaveProperty('applied_to');
  const [included] = await read('/payments?include=nothing,applied_to&expand=customer.nothing');
  expect(included).toMatchObject({ customer: { id: customer }, applied_to: [{ invoice, amount: 4 }] });
});

/** Ids that cannot be expanded, by the reason. */
const reasons: Record<string, string> = {
  'always the id; `customer` and `invoice` are replaced': 'Note.customer_id Note.invoice_id Task.customer_id',
  'a member or its role: who may read people lists them': `Actor.member ApiKey.member NewApiKey.member Member.role Member.invited_by InvitedMember.role InvitedMember.invited_by Customer.owner Customer.credit_hold_by Note.user WorkItem.user_id Task.user_id Task.completed_by_user_id ChaseStep.assigned_user_id InvoiceChaseStep.assigned_user_id
    Job.member ReportSchedule.member SavedView.member SkippedRecipient.member`,
  'of the account itself': 'OwnAccount.id OwnAccount.role',
  'there is none yet: it is always null': `Customer.ach_gateway Customer.cc_gateway ChargedCard.merchant_account
    ChargedBankAccount.merchant_account`,
  'a customer names its cadence in `chasing_cadence`': 'FollowedCadence.id',
  'a part of a chasing cadence':
    'Customer.next_chase_step Task.chase_step_id ForeseenChaseStep.chase_step TakenChaseStep.chase_step',
  'a hit of a search, of any type': 'SearchHit.id SearchHit.customer',
  'a line of Home, which says what it is': 'HomeRetry.invoice HomeRetry.customer',
  'the name of a bucket': 'HomeBucket.id',
  'of an object of any type': 'ProblemSubject.id TestClockSubject.id TimelineSubject.id WorkSubject.id',
  'a preview is not expanded': `CadencePreview.chasing_cadence ForeseenCustomer.customer UpcomingInvoice.customer UpcomingInvoice.subscription UpcomingInvoice.payment_plan
    UpcomingInvoice.consolidated_into UpcomingInvoice.chasing_cadence UpcomingLineItem.catalog_item UpcomingLineItem.plan UpcomingUsageTotal.addon
    UpcomingUsageTotal.plan UpcomingCreditNote.customer UpcomingCreditNote.invoice`,
  'in `latest_invoice` of a subscription: the invoice itself can be expanded': `Invoice.consolidated_into Invoice.chasing_cadence
    Invoice.customer Invoice.payment_plan Invoice.subscription LineItem.catalog_item LineItem.plan`,
  'one of many rows: the subscription shows its add-ons, plans and invoices': `Usage.addon Usage.invoice
    Usage.subscription UsageTotal.addon UsageTotal.invoice UsageTotal.plan UsageThreshold.plan`,
  'the invoice has the line': 'DisputedLine.line_item',
  'an offer, which names plans and items by their ids': `OfferedPlan.plan OfferedAddon.plan OfferedAddon.catalog_item PortalAddon.plan
    PortalAddon.catalog_item`,
  'an offer of a page, which may be archived': 'SignUpAddon.catalog_item SignUpAddon.plan',
  'of the approval itself': 'Approval.id',
  'of an actor of any type': 'Actor.id',
  'in `refunds` of a charge or payment: the charge or payment itself':
    'Refund.charge Refund.payment Refund.credit_balance_adjustment',
  'the customer of its payment, charge or adjustment': 'Refund.customer',
  'the refund has the adjustment': 'CreditBalanceAdjustment.refund',
  'evidence of a consent, which names the objects only': 'PaymentConsent.customer PaymentConsent.payment_source',
  'in an answer that is shown once, with a secret': 'PortalSession.customer',
  'for a page that shows the fields of a payment': 'PaymentFields.merchant_account ServiceToken.merchant_account',
  'one of many rows: the payments can be listed': 'StatementRow.payment UndoneImport.payment',
  'of a dry run, one of many rows': 'StatementRowApplication.invoice',
  'one of many rows of a statement, which has their numbers':
    'Statement.customer StatementLine.invoice StatementLine.credit_note StatementLine.payment StatementLine.refund',
  'of an invoice or a credit note, which is mostly gone': 'MissingNumbers.document',
  'the field itself; `object` is whose field it is': 'CustomField.id',
  'the schedule asked for it; it can be read by its id': 'Job.schedule',
  'of an object of the list that the job acts on': 'RefusedRow.id',
  'the name of a column, and the end of what is known': 'ReportColumn.id Report.last_event',
};
const left = Object.values(reasons).flatMap((fields) => fields.split(/\s+/));

/** Fields of a kind, including nested ones, that have the id of another object but cannot be expanded. */
function bareIds(kind: Kind, names: ReadonlySet<string>): string[] {
  const shapes = 'oneOf' in kind.shape ? kind.shape.oneOf : [kind.shape];
  return shapes.flatMap((shape) =>
    Object.entries({ ...shape.properties, ...shape.optional }).flatMap(([name, property]) => [
      ...(hasId(shape, name, names) && !kind.relations?.[name] ? [`${shape.name}.${name}`] : []),
      ...(property.shapes ?? []).flatMap((inner) => bareIds(kind.parts?.[name]?.to() ?? { shape: inner }, names)),
    ]),
  );
}

function hasId({ properties, optional }: ObjectShape, name: string, names: ReadonlySet<string>): boolean {
  const { schema, isId } = { ...properties, ...optional }[name] as Property;
  if (name === 'id') return properties.object?.schema.const === undefined; // the object's own id does not count
  const isNamed = /_id$/.test(name) || [...names].some((object) => name === object || name.endsWith(`_${object}`));
  return isId === true || (isNamed && [schema.type].flat().includes('integer'));
}

test('every id of another object can be expanded, or stays an id for a listed reason', () => {
  const kinds = routes.flatMap(({ answer }) => ('kind' in answer ? [answer.kind] : []));
  const names = new Set(kinds.map(({ shape }) => shape.name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()));
  expect([...new Set(kinds.flatMap((kind) => bareIds(kind, names)))].sort()).toEqual(left.toSorted());
  const bare = { shape: shape('Thing', '', { id: id(''), customer: id(''), parent_plan: integer('', 1) }) };
  expect(bareIds(bare, names)).toEqual(['Thing.customer', 'Thing.parent_plan']);
});

test('lines expand item and plan, plans expand their item, archived ones too', async () => {
  const { sandbox } = api;
  await sandbox.post('/items', { id: 'seat', name: 'Seat', unit_cost: 3 });
  await sandbox.post('/items', { id: 'gone', name: 'Gone', unit_cost: 3 });
  await sandbox.post('/plans', { id: 'seats', name: 'Seats', amount: 5, interval: 'month', catalog_item: 'seat' });
  const items = [{ catalog_item: 'gone' }, { name: 'Free', unit_cost: 1 }, { catalog_item: 'seat' }];
  const made = (await sandbox.make('/invoices', { customer, items })).id;
  await sandbox.delete('/items/gone');
  const path = `/invoices/${made}?expand=items.catalog_item,items.plan`;
  const seat = { object: 'item', id: 'seat', name: 'Seat' };
  expect((await read(path)).items).toMatchObject([
    { catalog_item: { id: 'gone', name: 'Gone' }, plan: null },
    { catalog_item: null, name: 'Free' },
    { catalog_item: seat },
  ]);
  await sandbox.delete('/items/seat');
  await sandbox.post('/items', { id: 'seat', name: 'Another seat', unit_cost: 4 });
  expect((await read('/plans/seats?expand=catalog_item')).catalog_item).toMatchObject(seat); // the plan keeps its item
  expect((await read(path)).items[2].catalog_item).toMatchObject({ id: 'seat', name: 'Another seat' }); // the line has only the item's code
  const billed = (await read(`/invoices/${invoice}?expand=items.plan`)).items[0];
  expect(billed).toMatchObject({ object: 'line_item', plan: { object: 'plan', id: 'gold' } });
  const statements = await api.statements(() => sandbox.get('/invoices?expand=items.catalog_item,items.plan'));
  expect(statements.length).toBeLessThanOrEqual(4 + 4); // tax rates of items, items of plans
});

test('a payment expands the customer in its charge, and the objects in its applications', async () => {
  const { sandbox } = api;
  const items = [{ name: 'Hour', unit_cost: 7 }];
  const paid = (await sandbox.make('/invoices', { customer, items })).id;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const asked = { customer, amount: 7, applied_to: [{ type: 'invoice', invoice: paid, amount: 7 }], ...card };
  const { id } = (await sandbox.post('/charges', asked)).body;
  const one = await read(`/payments/${id}?include=applied_to&expand=charge.customer,applied_to.invoice.customer`);
  const who = { object: 'customer', id: customer };
  expect(one).toMatchObject({
    customer,
    charge: { object: 'charge', amount: 7, customer: who },
    applied_to: [{ amount: 7, invoice: { object: 'invoice', id: paid, customer: who } }],
  });
  expect(await read(`/payments/${id}?expand=applied_to.invoice`)).not.toHaveProperty('applied_to');
});

test('test clock, merge target and account logo are expanded', async () => {
  const { sandbox } = api;
  const test_clock = (await sandbox.make('/test_clocks', { name: 'Year', frozen_time: 1_800_000_000 })).id;
  const [into, from] = await Promise.all(
    ['Into', 'From'].map(async (name) => (await sandbox.make('/customers', { name, test_clock })).id),
  );
  await sandbox.post(`/customers/${into}/merge`, { customer: from });
  expect(await read(`/customers/${from}?expand=test_clock,merged_into`)).toMatchObject({
    test_clock: { object: 'test_clock', name: 'Year' },
    merged_into: { object: 'customer', id: into, name: 'Into', test_clock },
  });
  const logo = (await sandbox.make('/files', { url: 'https://docs.example/logo.png', name: 'logo.png' })).id;
  await api.em.fork().execute('update account set logo_file_id = ? where id = ?', [logo, sandbox.account.id]);
  expect(await read('/account')).toMatchObject({ logo });
  expect(await read('/account?expand=logo')).toMatchObject({ logo: { object: 'file', id: logo, name: 'logo.png' } });
});

test('answers to writes are expanded too, and replays keep the expansion', async () => {
  const { sandbox } = api;
  const renamed = (await sandbox.make('/customers', { name: 'Before', email: 'before@example.com' })).id;
  const asked = { customer: renamed, items: [{ catalog_item: 'seat' }] };
  const make = () =>
    sandbox.post('/invoices?expand=customer,items.catalog_item', asked, { 'Idempotency-Key': 'expanded' });
  const made = await make();
  const before = { object: 'customer', id: renamed, name: 'Before' };
  expect(made).toMatchObject({ status: 201, body: { customer: before, items: [{ catalog_item: { id: 'seat' } }] } });
  await sandbox.patch(`/customers/${renamed}`, { name: 'After' });
  const again = await make();
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(again.body).toEqual(made.body);
  const { id } = made.body;
  const after = { object: 'customer', id: renamed, name: 'After' };
  expect((await sandbox.patch(`/invoices/${id}?expand=customer`, { notes: 'n' })).body.customer).toMatchObject(after);
  const sent = await sandbox.post(`/invoices/${id}/emails?expand=customer`);
  expect(sent).toMatchObject({ status: 200, body: [{ object: 'email', customer: after }] });
  const voided = await sandbox.post(`/invoices/${id}/void?expand=customer&include=nothing`);
  expect(voided).toMatchObject({ status: 200, body: { status: 'voided', customer: after } });
});

test('payments expand their applications when created, changed and voided', async () => {
  const { sandbox } = api;
  const owed = (await sandbox.make('/invoices', { customer, items: [{ unit_cost: 9 }] })).id;
  const applied_to = [{ type: 'invoice', invoice: owed, amount: 9 }];
  const made = await sandbox.post('/payments?include=applied_to', { customer, amount: 9, applied_to });
  expect(made).toMatchObject({ status: 201, body: { customer, applied_to: [{ invoice: owed, amount: 9 }] } });
  const path = `/payments/${made.body.id}?include=applied_to`;
  const changed = await sandbox.patch(path, { applied_to: [{ type: 'invoice', invoice: owed, amount: 4 }] });
  expect(changed.body).toMatchObject({ balance: 5, applied_to: [{ invoice: owed, amount: 4 }] });
  expect(await sandbox.delete(path)).toMatchObject({ status: 200, body: { voided: true, applied_to: [] } });
});

test('a charge and its replay are expanded alike, also if the first answer was never fetched', async () => {
  const { sandbox } = api;
  const payer = (await sandbox.make('/customers', { name: 'Payer' })).id;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const charge = () =>
    sandbox.post(
      '/charges?include=applied_to&expand=customer,charge.customer',
      { customer: payer, amount: 3, applied_to: [], ...card },
      { 'Idempotency-Key': 'charged' },
    );
  const made = await charge();
  const who = { id: payer, name: 'Payer' };
  expect(made).toMatchObject({ status: 201, body: { customer: who, charge: { customer: who }, applied_to: [] } });
  await sandbox.patch(`/customers/${payer}`, { name: 'Renamed' });
  expect((await charge()).body).toEqual(made.body);
  // The stored outcome does not know which relations the request expanded.
  const { body: plain } = await sandbox.get(`/payments/${made.body.id}`);
  const forget = `update idempotency set body = ?, attempt_id = (select max(id) from attempt) where key = 'charged'`;
  await api.em.fork().execute(forget, [JSON.stringify(plain)]);
  const again = await charge();
  expect([again.headers.get('Idempotent-Replayed'), again.body.customer.name]).toEqual(['true', 'Renamed']);
});

test('a replay keeps the expanded answer after all objects are deleted', async () => {
  const { sandbox } = api;
  const test_clock = (await sandbox.make('/test_clocks', { frozen_time: 1_900_000_000 })).id;
  const payer = (await sandbox.make('/customers', { name: 'Gone', test_clock })).id;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const asked = { customer: payer, amount: 3, applied_to: [], ...card };
  const charge = (query: string, key: string) => sandbox.post(`/charges?${query}`, asked, { 'Idempotency-Key': key });
  const inFull = () => charge('include=applied_to&expand=customer,charge.customer', 'gone in full');
  const unread = () => charge('expand=customer', 'gone unread');
  const made = [await inFull(), await sandbox.get(`/payments/${(await unread()).body.id}`)];
  const forget = `update idempotency set body = ?, attempt_id = (select max(id) from attempt) where key = 'gone unread'`;
  await api.em.fork().execute(forget, [JSON.stringify(made[1]?.body)]);
  expect((await sandbox.delete(`/test_clocks/${test_clock}`)).status).toBe(204);
  const again = [await inFull(), await unread()];
  expect(again.map(({ status }) => status)).toEqual([201, 201]);
  expect(again.map(({ body }) => body)).toEqual(made.map(({ body }) => body));
});

test('a credit note and an estimate can be read as they were created, expanded, and as PDF', async () => {
  const { sandbox } = api;
  const items = [{ catalog_item: 'seat' }];
  const corrected = (await sandbox.make('/invoices', { customer, items })).id;
  for (const [path, more] of [
    ['/credit_notes', { invoice: corrected }],
    ['/estimates', {}],
  ] as const) {
    const { body } = await sandbox.post(path, { customer, items, ...more });
    const one = `${path}/${body.id}`;
    expect(await read(one)).toEqual(body);
    expect(await read(`${one}?expand=customer,invoice.customer,items.catalog_item`)).toMatchObject({
      customer: { object: 'customer', id: customer },
      invoice: 'invoice' in more ? { object: 'invoice', id: corrected, customer: { id: customer } } : null,
      items: [{ catalog_item: { object: 'item', id: 'seat' } }],
    });
    const printed = await sandbox.request('GET', one, undefined, { Accept: 'application/pdf' });
    expect([printed.headers.get('Content-Type'), String(printed.body).slice(0, 5)]).toEqual([
      'application/pdf',
      '%PDF-',
    ]);
  }
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { createPerson } from '../../support/person.ts';
import { askForLink, seen, signInToPortal } from '../../support/portal.ts';
import { sourceVisitor } from '../../support/sourcePage.ts';

let api: TestApi;
let accountId: number;
beforeAll(async () => {
  api = await startApi();
  accountId = api.sandbox.account.id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const root = () => `/portal/${accountId}`;
async function enter(email: string, more: object = {}) {
  const customer = (await api.sandbox.make('/customers', { name: 'Ada & Co', email, ...more })).id;
  const { person } = await signInToPortal(api, { accountId, email });
  return { customer, person };
}
const bill = (customer: number, unit_cost: number, more: object = {}) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost }], ...more });
const mails = (template: string) =>
  api.em
    .fork()
    .execute<{ to_address: string; text: string }[]>(
      'select to_address, text from email where template = ? order by id desc',
      [template],
    );

test('documents, payments and receipts are listed with filters and lead to pages and PDFs, those of the customer alone', async () => {
  const { customer, person } = await enter('lists@example.com');
  const other = (await api.sandbox.make('/customers', { name: 'Other' })).id;
  const [open, paid, foreign] = [await bill(customer, 10), await bill(customer, 20), await bill(other, 30)];
  await api.sandbox.make('/estimates', { customer, items: [{ name: 'Roof', unit_cost: 40 }] });
  await api.sandbox.make('/payments', {
    customer,
    amount: 20,
    applied_to: [{ type: 'invoice', invoice: paid.id, amount: 20 }],
  });
  const all = await person.open(`${root()}/documents`);
  expect(seen(all)).toContain(open.number);
  expect(seen(all)).toMatch(new RegExp(`${paid.number}.*Paid`));
  expect(seen(all)).not.toContain(foreign.number);
  expect(seen(await person.open(`${root()}/documents?state=open`))).not.toContain(paid.number);
  expect(seen(await person.open(`${root()}/documents?kind=estimate`))).toContain('$40.00');
  expect(seen(await person.open(`${root()}/documents?from=2000-01-01&until=2000-12-31`))).toContain(
    'Nothing was found',
  );
  for (const query of ['from=x', 'from=2027-02-30', 'from=2027-03-02&until=2027-03-01'])
    expect([query, (await person.open(`${root()}/documents?${query}`)).status]).toEqual([query, 400]);
  const page = /href="(\/documents\/[^"]+)"/.exec(all.text)?.[1] ?? '';
  expect((await person.open(page)).status).toBe(200);
  const payments = await person.open(`${root()}/payments`);
  expect(seen(payments)).toMatch(/Receipt.*\$20\.00/);
  const receipt = /href="(\/documents\/[^"]+\/pdf)"/.exec(payments.text)?.[1] ?? '';
  expect((await person.open(receipt)).headers.get('Content-Type')).toBe('application/pdf');
});

test('a statement of any period is a PDF, and a switch closes the place', async () => {
  const { customer, person } = await enter('statement@example.com');
  await bill(customer, 10);
  const pdf = await person.open(`${root()}/statements/pdf?type=balance_forward&from=2020-01-01&until=2099-12-31`);
  expect([pdf.status, pdf.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  expect((await person.open(`${root()}/statements/pdf?from=2027-03-02&until=2027-03-01`)).status).toBe(400);
  expect((await person.open(`${root()}/statements/pdf?from=2027-03-01&until=2027-03-02&currency=xxx`)).status).toBe(
    400,
  );
  await api.sandbox.patch('/account', { portal_statements: false });
  expect((await person.open(`${root()}/statements`)).status).toBe(404);
  expect(seen(await person.open(root()))).not.toContain('Statements');
  await api.sandbox.patch('/account', { portal_statements: true });
});

test('sources are added with consent, made default and removed; a contact has only its own', async () => {
  const { customer, person } = await enter('sources@example.com');
  const visitor = await sourceVisitor(api, api.sandbox);
  const add = async (who: typeof person, token: string) => {
    const page = await who.open(`${root()}/sources/add?method=credit_card`);
    return who.send(page, '/sources/add', { consent: 'yes', service_token: await visitor.tokenOf(token) });
  };
  expect(seen(await add(person, 'tok_4242424242424242'))).toContain('Your payment method is saved');
  await add(person, 'tok_5454545454545454');
  const list = await person.open(`${root()}/sources`);
  expect(seen(list)).toMatch(/Visa ending in 4242.*Mastercard ending in 5454.*Charged automatically/);
  const toDefault = await person.send(list, '/sources'); // the only one that is not the default offers it first
  expect(seen(toDefault)).toMatch(/4242 Charged automatically/);
  const { body } = await api.sandbox.get(`/customers/${customer}/payment_consents`);
  expect(body).toMatchObject([{ page: 'portal', email: 'sources@example.com' }, { page: 'portal' }]);

  await api.sandbox.make(`/customers/${customer}/contacts`, {
    name: 'Grace',
    email: 'own@example.com',
    portal_role: 'pay',
  });
  const grace = (await signInToPortal(api, { accountId, email: 'own@example.com' })).person;
  expect(seen(await grace.open(`${root()}/sources`))).toContain('No payment method is stored');
  await add(grace, 'tok_378282246310005');
  expect(seen(await grace.open(`${root()}/sources`))).toMatch(/0005/);
  expect(seen(await grace.open(`${root()}/sources`))).not.toContain('4242');
  expect((await api.sandbox.get(`/customers/${customer}`)).body.payment_source.last4).toBe('4242');
  const foreign = /name="source" value="(\d+)"/.exec((await person.open(`${root()}/sources`)).text)?.[1] ?? '';
  const own = await grace.open(`${root()}/sources`);
  expect((await grace.send(own, '/sources', { source: foreign, action: 'remove' })).status).toBe(400);
  await grace.send(own, '/sources', { action: 'remove' });
  expect(seen(await grace.open(`${root()}/sources`))).toContain('No payment method is stored');
  expect(seen(await person.open(`${root()}/sources`))).toMatch(/4242.*5454/);
});

test('details change where the account allows it, with a tax id of the form of its country', async () => {
  const { customer, person } = await enter('details@example.com', { country: 'DE' });
  const page = await person.open(`${root()}/details`);
  const sent = {
    name: '<b>Ada</b> "GmbH"',
    attentionTo: '',
    address1: 'Weg 1',
    city: 'Bonn',
    postalCode: '53111',
    country: 'DE',
  };
  const wrong = await person.send(page, '/details', { ...sent, taxId: 'DE12' });
  expect([wrong.status, wrong.text.includes('value="Weg 1"'), wrong.text.includes('aria-invalid')]).toEqual([
    400,
    true,
    true,
  ]);
  expect((await person.send(page, '/details', { ...sent, name: ' ' })).status).toBe(400);
  expect((await person.send(page, '/details', { ...sent, country: 'XX' })).status).toBe(400);
  const saved = await person.send(page, '/details', { ...sent, taxId: 'DE 123 456 788' });
  expect(seen(saved)).toContain('Your details are saved');
  expect(saved.text).not.toContain('<b>Ada</b>');
  expect((await api.sandbox.get(`/customers/${customer}`)).body).toMatchObject({
    name: '<b>Ada</b> "GmbH"',
    city: 'Bonn',
    tax_id: 'DE 123 456 788',
    email: 'details@example.com',
  });
  await api.sandbox.patch('/account', { portal_edit_details: false });
  expect((await person.send(page, '/details', sent)).status).toBe(403);
  expect((await person.open(`${root()}/details`)).text).not.toContain('name="address1"');
  await api.sandbox.patch('/account', { portal_edit_details: true });
});

test('an address changes once the new one confirmed it, and the old one is told', async () => {
  const { customer, person } = await enter('old@example.com');
  const page = await person.open(`${root()}/details`);
  expect((await person.send(page, '/details/email', { email: 'x' })).status).toBe(400);
  expect(seen(await person.send(page, '/details/email', { email: 'New@example.com' }))).toContain('on its way');
  const emailOf = async () => (await api.sandbox.get(`/customers/${customer}`)).body.email;
  expect(await emailOf()).toBe('old@example.com');
  const [mail] = await mails('portal_email_change_email');
  expect(mail?.to_address).toBe('New@example.com');
  const path = /(\/portal\/\d+\/emails\/\w+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const other = createPerson(api);
  const confirm = await other.open(path);
  expect(await emailOf()).toBe('old@example.com'); // opening it changes nothing
  expect(seen(await other.send(confirm, path))).toContain('The address has changed');
  expect(await emailOf()).toBe('New@example.com');
  expect((await other.open(path)).status).toBe(404);
  expect((await mails('portal_email_changed_email')).map((one) => one.to_address)).toEqual(['old@example.com']);
  expect((await person.open(root())).url.pathname).toMatch(/sign_in$/);
  const again = await askForLink(api, { accountId, email: 'new@example.com' });
  expect(await again.link()).toContain('/sign_in/');
});

test('a form without the token of this browser, from elsewhere, or with a null character is refused', async () => {
  const { person } = await enter('forms@example.com');
  const page = await person.open(`${root()}/details`);
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  expect((await person.post(`${root()}/details`, { name: 'Eve' })).status).toBe(403);
  const evil = { Origin: 'https://evil.example' };
  expect((await person.post(`${root()}/details`, { form_token: token, name: 'Eve' }, evil)).status).toBe(403);
  expect((await person.post(`${root()}/details`, { form_token: token, name: 'E\0' })).status).toBe(400);
});

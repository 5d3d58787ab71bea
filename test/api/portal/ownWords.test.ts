import { expect, test } from '@jest/globals';
import { createPerson, type Person } from '../../support/person.ts';
import { seen } from '../../support/portal.ts';
import { forge, MARCH, portalShop, RETURN } from '../../support/portalShop.ts';

/** Promises, disputed lines, people, plans and companies on the pages of the portal, and who may do what. */

const shop = portalShop();

test('a customer promises a day, and disputes a line once', async () => {
  const { customer } = shop;
  const items = [
    { name: 'Work <i>', unit_cost: 40 },
    { name: 'Travel', unit_cost: 9 },
  ];
  const invoice = await shop.api.sandbox.make('/invoices', { customer, items });
  const path = `${shop.root}/invoices/${invoice.id}`;
  const person = await shop.signIn();
  expect((await person.open(shop.root)).text).toContain(path);
  const page = await person.open(path);
  for (const date of ['2027-03-12', '2027-02-28', '2027-02-30', ''])
    expect((await person.send(page, '/promise', { date })).status).toBe(400);
  expect(seen(await person.send(page, '/promise', { date: '2027-03-12' }))).toContain('March 11, 2027');
  expect((await person.send(page, '/promise', { date: '2027-03-11' })).url.search).toBe('?done=promise');
  expect((await person.send(page, '/promise', { date: '2027-03-05' })).url.search).toBe(''); // a second one changes nothing
  const line = invoice.items[0].id;
  expect((await person.send(page, '/dispute', { line, [`reason_${line}`]: ' ' })).status).toBe(400);
  const told = await person.send(page, '/dispute', { line, [`reason_${line}`]: '<script>x</script>' });
  expect(told.url.search).toBe('?done=dispute');
  expect(told.text).not.toContain('<script>x');
  await person.send(page, '/dispute', { line, [`reason_${line}`]: 'Again' });
  expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({
    expected_payment_date: { date: Date.parse('2027-03-11T00:00:00Z') / 1000 },
    disputed_lines: [{ line_item: line, reason: '<script>x</script>' }],
  });
  const tasks = await shop.read(`/tasks?filter[customer]=${customer}`);
  expect(tasks).toMatchObject([{ action: 'review', complete: false }]);
});

test('the people of a customer may do what their role allows', async () => {
  const { customer, email } = shop;
  const { id, path } = await shop.subscribe();
  const invoice = await shop.api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 40 }] });
  const person = await shop.signIn();
  const people = await person.open(`${shop.root}/people`);
  const [viewer, payer] = [`view.${email}`, `pay.${email}`];
  expect((await person.send(people, '/people', { name: 'Vi', email: 'nobody', role: 'view' })).status).toBe(400);
  expect((await person.send(people, '/people', { name: 'Me', email, role: 'view' })).status).toBe(400);
  await person.send(people, '/people', { name: 'Vi', email: viewer, role: 'view' });
  await person.send(people, '/people', { name: 'Pia', email: payer, role: 'pay' });
  expect((await person.send(people, '/people', { name: 'Vi', email: viewer, role: 'pay' })).status).toBe(400);
  const contacts = await shop.read(`/customers/${customer}/contacts`);
  expect(contacts).toMatchObject([
    { email: viewer, portal_role: 'view', primary: false },
    { email: payer, portal_role: 'pay' },
  ]);

  const [looks, pays] = [await shop.signIn(viewer), await shop.signIn(payer)];
  const denied = async (of: Person, [to, fields]: readonly [string, Record<string, string>]) => {
    const answer = await forge(of, to, fields);
    expect([to, answer.status, seen(answer).includes('You cannot do this here')]).toEqual([to, 403, true]);
  };
  const refused = [
    [`${path}/change`, { quantity: '3' }],
    [`${path}/cancel`, { when: 'now' }],
    [`${path}/pause`, {}],
    [`${path}/resume`, {}],
    [`${path}/undo`, { what: 'cancellation' }],
  ] as const;
  const words = [
    [`${shop.root}/invoices/${invoice.id}/promise`, { date: '2027-03-05' }],
    [`${shop.root}/invoices/${invoice.id}/dispute`, { line: String(invoice.items[0].id) }],
  ] as const;
  const managing = [`${shop.root}/people`, { name: 'x', email: 'x@example.com', role: 'pay' }] as const;
  for (const one of [...refused, ...words]) await denied(looks, one);
  for (const one of refused) await denied(pays, one);
  for (const one of [looks, pays]) expect([403, 404]).toContain((await forge(one, ...managing)).status);
  expect((await forge(pays, ...words[0])).url.search).toBe('?done=promise');
  expect((await looks.open(path)).text).not.toContain('action="/portal/2/subscriptions');
  for (const page of ['change', 'cancel', 'pause']) expect((await looks.open(`${path}/${page}`)).status).toBe(404);
  expect(await shop.read(`/subscriptions/${id}`)).toMatchObject({ quantity: 2, cancel_at_period_end: false });

  await person.send(await person.open(`${shop.root}/people`), `/people/${contacts[0].id}`, { role: 'none' });
  expect((await looks.open(path)).url.pathname).toBe(`${shop.root}/sign_in`);
});

test('a session that only reads refuses each write, and one of the account’s product sees no people', async () => {
  const { customer } = shop;
  const { id, path } = await shop.subscribe();
  const enter = async (read_only: boolean) => {
    const { url } = await shop.api.sandbox.make(`/customers/${customer}/portal_sessions`, {
      return_url: RETURN,
      read_only,
    });
    const person = createPerson(shop.api);
    const page = await person.open(url);
    await person.send(page, page.url.pathname);
    return person;
  };
  const reads = await enter(true);
  expect((await reads.open(path)).status).toBe(200);
  for (const page of ['change', 'cancel', 'pause', 'resume', 'undo'])
    expect(seen(await forge(reads, `${path}/${page}`, { when: 'now' }))).toContain('You cannot do this here');
  const writes = await enter(false);
  expect((await writes.open(`${shop.root}/people`)).status).toBe(404);
  const made = await writes.send(await writes.open(`${path}/cancel`), '/cancel', { when: 'period_end' });
  expect(made.url.search).toBe('?done=cancel');
  const [event] = await shop.read(`/events?filter[type]=subscription.updated&per_page=1`);
  expect(event.data.object.id).toBe(id);
});

test('plans to approve and the companies of a parent are listed', async () => {
  const { customer } = shop;
  const invoice = await shop.api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 90 }] });
  const installments = [
    { date: MARCH / 1000 + 864_000, amount: 40 },
    { date: MARCH / 1000 + 1_728_000, amount: 50 },
  ];
  await shop.api.sandbox.make(`/invoices/${invoice.id}/payment_plan`, { installments, require_approval: true });
  const child = (await shop.api.sandbox.make('/customers', { name: 'Branch', parent_customer: customer })).id;
  await shop.api.sandbox.make('/invoices', { customer: child, items: [{ name: 'Work', unit_cost: 33 }] });
  const stranger = (await shop.api.sandbox.make('/customers', { name: 'Stranger' })).id;
  const person = await shop.signIn();
  const plans = await person.open(`${shop.root}/plans`);
  expect(seen(plans)).toContain('2 installments, $90.00 in total');
  expect(plans.text).toMatch(/\/payment_plans\/\d+\/[0-9a-f]{32}\/approve/);
  expect(seen(await person.open(`${shop.root}/companies`))).toContain('$33.00 open');
  expect(seen(await person.open(`${shop.root}/companies/${child}`))).toContain('$33.00');
  expect((await person.open(`${shop.root}/companies/${stranger}`)).status).toBe(404);
});

test('the public page of a subscription leads to the portal, and changes nothing itself', async () => {
  const { path, id } = await shop.subscribe();
  const { url } = await shop.read(`/subscriptions/${id}`);
  const page = await createPerson(shop.api).open(url);
  expect(page.text).toContain(path);
  expect(page.text).not.toContain('<form');
  expect((await createPerson(shop.api).open(path)).url.search).toContain('return_to=subscriptions');
});

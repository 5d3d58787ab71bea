import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support hour', quantity: 2, unit_cost: 120 }];
const estimate = (more: object = {}) => api.sandbox.make('/estimates', { customer, items, ...more });
const read = async (id: number) => (await api.sandbox.get(`/estimates/${id}`)).body;
const eventsOf = async (id: number): Promise<{ type: string; data: { previous: unknown } }[]> =>
  (await api.sandbox.get(`/events?related_to=estimate,${id}`)).body;
const rowOf = async (id: number) =>
  (await api.em.execute<Record<string, unknown>[]>('select * from estimate where id = ?', [id]))[0];

/** Submits the form as a browser does, without following the redirect. */
async function say(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const [, seen = ''] = /name="seen" value="(\w+)"/.exec(await page(url)) ?? [];
  const answer = await fetch(`${url.replace('https://billing.example', api.origin)}/answer`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ seen, ...fields }),
    headers: { 'User-Agent': 'Mozilla/5.0 (Test)', 'X-Forwarded-For': '198.51.100.7', ...headers },
  });
  return { status: answer.status, location: answer.headers.get('Location'), html: await answer.text() };
}
const page = async (url: string) => (await fetch(url.replace('https://billing.example', api.origin))).text();

test('the answer comes before the lines, and after it the page shows it there', async () => {
  const { url } = await estimate();
  const before = async (first: RegExp) => {
    const html = await page(url);
    const [at, lines] = [html.search(first), html.indexOf('<table')];
    return at > 0 && at < lines;
  };
  expect(await before(/<button[^>]*value="decline"/)).toBe(true);
  expect(await page(url)).toMatch(/<a class="button plain" href="[^"]*\/pdf">/);
  await say(url, { answer: 'approve', initials: 'AM' });
  expect(await before(/Approved by AM/)).toBe(true);
  expect(await page(url)).toMatch(/<a class="button" href="[^"]*\/pdf">/);
});

test('approving an estimate records initials, time, address and browser', async () => {
  const { id, url } = await estimate();
  expect(await page(url)).toContain(`<form method="post" action="${new URL(url).pathname}/answer">`);
  const pokes = api.pokes();
  const said = await say(url, { answer: 'approve', initials: ' A. M.-Ö ' });
  expect([said.status, said.location]).toEqual([303, new URL(url).pathname]);
  expect(api.pokes()).toBeGreaterThan(pokes);
  expect(await read(id)).toMatchObject({ status: 'approved', approved: true, closed: false });
  expect(await rowOf(id)).toMatchObject({
    approved_at: expect.anything(),
    declined_at: null,
    answer: { initials: 'A. M.-Ö', ip: '198.51.100.7', userAgent: 'Mozilla/5.0 (Test)' },
  });
  const [event] = await eventsOf(id);
  expect(event).toMatchObject({
    type: 'estimate.approved',
    data: { previous: { status: 'not_sent', approved: null } },
  });
  const html = await page(url);
  expect(html).toMatch(/Approved by A\. M\.-Ö on \w+ \d+, \d{4}/);
  expect(html).not.toContain('<form');
});

test('declining an estimate closes it', async () => {
  const { id, url } = await estimate();
  expect((await say(url, { answer: 'decline', initials: 'AM' })).status).toBe(303);
  expect(await read(id)).toMatchObject({ status: 'declined', approved: null, closed: true });
  expect((await eventsOf(id))[0]).toMatchObject({ type: 'estimate.updated', data: { previous: { closed: false } } });
  expect(await page(url)).toMatch(/Declined by AM on /);
  expect(await rowOf(id)).toMatchObject({ approved_at: null, declined_at: expect.anything() });
});

test.each([
  ['none', ''],
  ['blanks', '   '],
  ['too many letters', 'ABCDEFGHIJK'],
  ['a number', '123'],
  ['markup', '<b>A</b>'],
])('an approval with invalid initials is refused: %s', async (_, initials) => {
  const { id, url } = await estimate();
  const { status, html } = await say(url, { answer: 'approve', initials });
  expect(status).toBe(400);
  expect(html).toContain('role="alert" id="refused">Please enter your initials: up to 10 letters.');
  expect(html).not.toContain('<b>A</b>');
  expect((await read(id)).status).toBe('not_sent');
});

test('the first answer counts; repeating it, also simultaneously, changes nothing', async () => {
  const { id, url } = await estimate();
  const answers = await Promise.all(['A', 'B', 'C'].map((initials) => say(url, { answer: 'approve', initials })));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  const { answer } = (await rowOf(id)) ?? {};
  expect((await say(url, { answer: 'approve', initials: 'Z' })).status).toBe(303);
  expect((await rowOf(id))?.answer).toEqual(answer);
  expect((await eventsOf(id)).filter(({ type }) => type === 'estimate.approved')).toHaveLength(1);
  const other = await say(url, { answer: 'decline', initials: 'Z' });
  expect([other.status, other.html.includes('can no longer be answered')]).toEqual([400, true]);
  expect((await read(id)).status).toBe('approved');
});

test('a voided, invoiced, closed or expired estimate takes no answer', async () => {
  const voided = await estimate();
  await api.sandbox.post(`/estimates/${voided.id}/void`);
  const invoiced = await estimate();
  await api.sandbox.post(`/estimates/${invoiced.id}/invoice`);
  const closed = await estimate({ closed: true });
  const expired = await estimate({ date: 1_700_000_000, expiration_date: 1_700_086_400 });
  const over = [
    { ...voided, status: 'voided' },
    { ...invoiced, status: 'invoiced' },
    { ...closed, status: 'declined' },
    { ...expired, status: 'declined' },
  ];
  for (const { id, url, status } of over) {
    expect((await read(id)).status).toBe(status);
    const said = await say(url, { answer: 'approve', initials: 'AM' });
    expect([id, said.status, said.html.includes('can no longer be answered')]).toEqual([id, 400, true]);
    expect(said.html).not.toContain('<form');
    expect(await read(id)).toMatchObject({ status, approved: null });
  }
});

test('an estimate that changed since it was shown takes no answer and is shown again', async () => {
  const { id, url } = await estimate();
  const [, seen = ''] = /name="seen" value="(\w+)"/.exec(await page(url)) ?? [];
  await api.sandbox.patch(`/estimates/${id}`, { items: [{ name: 'Support hour', quantity: 3, unit_cost: 120 }] });
  const answer = { answer: 'approve', initials: 'AM' };
  const said = await say(url, { ...answer, seen });
  expect(said.status).toBe(400);
  expect(said.html).toContain('This estimate has changed since you opened it.');
  expect(said.html).toContain('$360.00'); // 3 x 120
  expect(said.html).toContain('value="AM"');
  expect((await say(url, { ...answer, seen: '' })).status).toBe(400); // a form without the shown version is also refused
  expect(await read(id)).toMatchObject({ status: 'not_sent', approved: null });
  expect((await say(url, answer)).status).toBe(303);
  const [kept] = await api.em.execute<{ hash: string }[]>(
    `select answer ->> 'contentHash' as hash from estimate where id = ?`,
    [id],
  );
  expect(kept?.hash).toMatch(/^[0-9a-f]{64}$/);
});

test('only estimates take answers, at their own address, by a form', async () => {
  const { url } = await api.sandbox.make('/invoices', { customer, items });
  expect((await say(url, { answer: 'approve', initials: 'AM' })).status).toBe(404);
  const { id, url: own, pdf_url } = await estimate();
  expect((await say(own.replace(/[0-9a-f]{32}$/, '0'.repeat(32)), { answer: 'approve', initials: 'AM' })).status).toBe(
    404,
  );
  const shown = await fetch(`${own.replace('https://billing.example', api.origin)}/answer`);
  expect(shown.status).toBe(404);
  for (const at of [own, pdf_url]) {
    expect((await fetch(at.replace('https://billing.example', api.origin), { method: 'POST' })).status).toBe(404);
  }
  const draft = await estimate({ draft: true });
  const token = (await rowOf(draft.id))?.token;
  const page = `${api.origin}/documents/${api.sandbox.account.id}/estimate/${draft.id}/${token}`;
  expect((await say(page, { answer: 'approve', initials: 'AM' })).status).toBe(404);
  expect((await read(id)).status).toBe('not_sent');
});

test('a form without an answer is shown again with its initials', async () => {
  const { id, url } = await estimate();
  for (const said of [{ initials: 'AM' }, { answer: 'perhaps', initials: 'AM' }]) {
    const { status, html } = await say(url, said);
    expect(status).toBe(400);
    expect(html).toContain('role="alert" id="refused">Please choose whether you approve or decline.');
    expect(html).toContain('value="AM"');
    expect(html).not.toContain('Please enter your initials');
  }
  expect((await read(id)).status).toBe('not_sent');
});

test('reading stops at a form that is too long, and its connection is closed', async () => {
  const { id, url } = await estimate();
  const { pathname } = new URL(url);
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname);
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const head = [`POST ${pathname}/answer HTTP/1.1`, 'Host: billing.example', type, 'Content-Length: 1000000000'];
  socket.write(`${head.join('\r\n')}\r\n\r\nanswer=approve&initials=AM`);
  // The request is answered and ended, although most of its body never arrives.
  const answered = await text(socket);
  expect(answered).toMatch(/^HTTP\/1\.1 400 /);
  expect(answered).toContain('Connection: close');
  expect((await read(id)).status).toBe('not_sent');
});

test('views of estimates and credit notes are recorded too', async () => {
  const note = await api.sandbox.make('/credit_notes', { customer, items });
  const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  for (const { object, id, url } of [await estimate(), note]) {
    for (const _ of [1, 2]) {
      const answer = await fetch(url.replace('https://billing.example', api.origin), { headers: browser });
      expect(answer.status).toBe(200);
    }
    const events = (await api.sandbox.get(`/events?related_to=${object},${id}`)).body;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([`${object}.viewed`, `${object}.created`]);
  }
});

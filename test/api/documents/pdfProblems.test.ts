import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Unprintable } from '../../../billing/failures.ts';
import type { OutgoingMail } from '../../../commands/ports/ports.ts';
import { withAccount } from '../../../db/tenant.ts';
import { createClockBells } from '../../../workers/clockBells.ts';
import { createLivePumps } from '../../../workers/livePumps.ts';
import { pumpMail } from '../../../workers/pumpMail.ts';
import { basic, startApi, type TestApi } from '../../support/api.ts';
import { rendererOf } from '../../support/printed.ts';

// A fake renderer fails for chosen documents. test/adapters/pdfChildren.test.ts tests the real one.

const CAUSE = 'It took longer than 20 s to set';
const state = { isMended: false, asked: 0 };
const pdf = rendererOf(async ({ lines }) => {
  const isBad = !state.isMended && lines.some(({ name }) => name.includes('Endless'));
  if (isBad) state.asked += 1;
  if (isBad) throw new Unprintable('time', CAUSE);
  return Buffer.from('%PDF-1.7');
});
let api: TestApi;
let now = new Date();
let customer: number;

beforeAll(async () => {
  api = await startApi({ pdf, systemNow: () => now });
  customer = (await api.sandbox.make('/customers', { name: 'Ann', email: 'ann@example.com' })).id;
});
afterAll(() => api.close());

const invoice = (name: string) => api.sandbox.make('/invoices', { customer, items: [{ name, unit_cost: 9 }] });
const pdfBy = (address: string, headers: Record<string, string> = {}) =>
  fetch(address.replace('https://billing.example', api.origin), { headers });
/** Open problems of these invoices. */
const problems = async (...ids: number[]) => {
  const { body } = await api.sandbox.get('/problems');
  return body.filter(({ subject }: { subject: { id: number } }) => ids.includes(subject.id));
};
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

test('an unprintable document becomes a problem with its cause, costs nothing until its retry, and stays readable', async () => {
  state.asked = 0;
  const { id, url, pdf_url } = await invoice('Endless');
  const key = { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  const answer = await pdfBy(`${api.sandbox.url}/invoices/${id}`, key);
  const message = `The PDF of this document cannot be rendered. ${CAUSE}`;
  expect([answer.status, await answer.json()]).toMatchObject([400, { type: 'invalid_request', message }]);
  expect(await problems(id)).toMatchObject([
    { subject: { object: 'invoice_pdf', id }, message: CAUSE, tries: 1, money_at_risk: null },
  ]);
  for (let visit = 0; visit < 3; visit++) {
    const shown = await pdfBy(pdf_url);
    expect([shown.status, await shown.text()]).toEqual([503, expect.stringContaining(new URL(url).pathname)]);
  }
  expect(state.asked).toBe(1);
  expect((await pdfBy(url)).status).toBe(200);
  expect((await pdfBy((await invoice('Hour')).pdf_url)).status).toBe(200);
  later(2);
  expect((await pdfBy(pdf_url)).status).toBe(503);
  expect(state.asked).toBe(2);
  expect(await problems(id)).toMatchObject([{ tries: 2 }]);
  state.isMended = true;
  later(5);
  expect((await pdfBy(pdf_url)).status).toBe(200);
  expect(await problems(id)).toEqual([]);
  state.isMended = false;
});

test('a manual retry prints it at once, and the problem closes', async () => {
  const { id, pdf_url } = await invoice('Endless');
  await pdfBy(pdf_url);
  const [open] = await problems(id);
  expect((await api.sandbox.post(`/problems/${open.id}/retries`)).status).toBe(200);
  expect(await problems(id)).toMatchObject([{ tries: 2 }]);
  state.isMended = true;
  expect((await api.sandbox.post(`/problems/${open.id}/retries`)).status).toBe(200);
  expect(await problems(id)).toEqual([]);
  expect((await pdfBy(pdf_url)).status).toBe(200);
  state.isMended = false;
});

const draftOf = (name: string) => ({ customer, draft: true, items: [{ name, unit_cost: 9 }] });

test('new content of the same document is printed at once', async () => {
  const draft = await api.sandbox.make('/invoices', draftOf('Endless'));
  const read = () =>
    pdfBy(`${api.sandbox.url}/invoices/${draft.id}`, { ...basic(api.sandbox.key), Accept: 'application/pdf' });
  expect((await read()).status).toBe(400);
  const items = [{ name: 'Hour', unit_cost: 9 }];
  expect((await api.sandbox.patch(`/invoices/${draft.id}`, { items })).status).toBe(200);
  expect((await read()).status).toBe(200);
  expect(await problems(draft.id)).toEqual([]);
});

test('its mail waits for a second try and then goes out without the file, saying so; other mails go out at once', async () => {
  const bad = await invoice('Endless');
  const good = await invoice('Hour');
  for (const { id } of [bad, good]) {
    expect((await api.sandbox.post(`/invoices/${id}/emails`, {})).status).toBe(200);
  }
  expect(await pumped()).toEqual([[`Invoice ${good.number}`, [`Invoice ${good.number}.pdf`], false]]);
  expect(await problems(bad.id)).toMatchObject([{ subject: { object: 'invoice_pdf', id: bad.id }, tries: 1 }]);
  later(0.2);
  expect(await pumped()).toEqual([]);
  later(2);
  expect(await pumped()).toEqual([[`Invoice ${bad.number}`, [], true]]);
  expect(await problems(bad.id)).toMatchObject([{ subject: { object: 'invoice_pdf', id: bad.id }, tries: 2 }]);
});

/** Runs the mail pump. Returns subject, files, and whether the text says that the PDF is missing. */
async function pumped() {
  const sent: OutgoingMail[] = [];
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail);
      return { status: 'sent' as const };
    },
  };
  const { metrics: _, log, ...ofApi } = api.deps;
  const deps = {
    ...ofApi,
    log: { ...log, debug: () => undefined },
    mailers: { live: mailer, sandbox: mailer },
    mailFrom: 'billing@example.com',
    listCsv: () => Promise.reject(new Error('no job runs here')),
    clockPatience: 1000,
    clocks: createClockBells(),
    pumps: createLivePumps(),
  };
  const { id: accountId } = api.sandbox.account;
  const activity = () => withAccount(accountId, () => pumpMail(deps, { accountId, id: accountId }));
  await new MockActivityEnvironment().run(activity);
  const says = 'The PDF could not be attached. The document can be read on its page.';
  return sent.map(({ subject, attachments, html, text }) => {
    expect(html.includes(says)).toBe(text.includes(says));
    return [/Invoice [^ ]+/.exec(subject)?.[0], attachments.map(({ name }) => name), text.includes(says)];
  });
}

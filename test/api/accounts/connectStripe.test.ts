import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectFolder } from '../../suites.ts';
import { type Answer, startApi, type TestApi } from '../../support/api.ts';
import { formOn, sendForm, visitPage } from '../../support/payPage.ts';

/** The commands of docs/payments.md, one after another, as a company sends them that connects Stripe. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

interface Command {
  method: string;
  path: string;
  fields: [string, string][];
}

const page = readFileSync(join(projectFolder, 'docs/payments.md'), 'utf8');
const commands: Command[] = [...page.matchAll(/^ *curl -u \$KEY: (.*)$/gm)].map(([, text = '']) => {
  const [, method = 'POST', path = ''] = /^(?:-X (\w+) )?\$PERENNIAL(\S+)/.exec(text) ?? [];
  const fields = [...text.matchAll(/-d '?([^'=\s]+)=([^'\s]+)'?/g)];
  return { method, path, fields: fields.map(([, name = '', value = '']) => [name, value.replace('…', 'Rome2027')]) };
});

test('the commands of the docs connect Stripe, and the page of their invoice takes a card of Stripe', async () => {
  expect(commands.length).toBe(4);
  const bodies: Answer['body'][] = [];
  for (const { method, path, fields } of commands) {
    const headers = { Authorization: `Basic ${btoa(`${api.sandbox.key}:`)}` };
    const answer = await fetch(`${api.sandbox.url}${path}`, { method, headers, body: new URLSearchParams(fields) });
    const body = await answer.json();
    expect([path, answer.ok ? 'ok' : body]).toEqual([path, 'ok']);
    bodies.push(body);
  }
  const [merchant, changed, customer, invoice] = bodies;
  expect(merchant).toMatchObject({ gateway: 'stripe', events_url: expect.stringContaining('/gateway_events/stripe_') });
  expect([merchant.id, customer.id]).toEqual([changed.id, invoice.customer]);
  const shown = await visitPage(api, invoice.payment_url);
  expect(shown.html).toContain('pk_test_Rome2027');
  const token = { method: 'credit_card', gateway_token: 'pm_card_visa' };
  const { id: service_token } = await api.sandbox.make('/service_tokens', token);
  await sendForm(api, invoice.payment_url, { ...formOn(shown), service_token });
  expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ paid: true });
  expect([...api.stripe.world.captures.values()]).toEqual([1]);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail, signUpVisitor } from '../../support/signUpPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';

/** Somebody tests stolen cards on sign-up pages and payment links. */

const GOOD = 'tok_4242424242424242';
const TOO_MANY = 'Too many tries. Try again in an hour';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
});
afterAll(() => api.close());

const tokenOf = (card: string) => serviceToken(api.sandbox, card);
const sql = (text: string) => api.em.fork().execute(text);

async function newPage() {
  const { id, url } = await api.sandbox.make('/sign_up_pages', { name: 'Join', plans: ['gold'] });
  return { id: id as number, visitor: signUpVisitor(api, tokenOf, url) };
}

/** Copies the only sign-up of a page, as if others had been declined there in the same way. */
const repeat = (page: number, times: number) =>
  sql(`insert into sign_up select (jsonb_populate_record(s, jsonb_build_object(
         'id', nextval(pg_get_serial_sequence('sign_up', 'id')), 'key', gen_random_uuid()))).*
       from sign_up s, generate_series(1, ${times}) where s.page_id = ${page}`);

test.each([
  ['cannot be stored', 'tok_4000000000000127'],
  ['declines its first charge', 'tok_4000000000000341'],
])('60 sign-ups with a card that %s close a page for the rest of an hour, and no other page', async (_, card) => {
  const { id, visitor } = await newPage();
  await visitor.signUp({}, card);
  await repeat(id, 58);
  expect(textOf(await visitor.signUp({}, card))).not.toContain(TOO_MANY);
  for (const next of [card, GOOD]) expect(textOf(await visitor.signUp({}, next))).toContain(TOO_MANY);
  expect(textOf(await (await newPage()).visitor.signUp({}, GOOD))).toContain('Your subscription is active');
  await sql(`update sign_up set started_at = started_at - interval '1 hour' where page_id = ${id}`);
  expect(textOf(await visitor.signUp({}, GOOD))).toContain('Your subscription is active');
});

test('30 payments by a link that are declined close it for the rest of an hour, and no other link', async () => {
  const newLink = () => api.sandbox.make('/payment_links', { name: 'Ticket', amount: 30 });
  const pay = async (url: string, card: string) => {
    const shown = inputsOf(await visitPage(api, url));
    const fields = { ...shown, name: 'Grace', email: newEmail(), service_token: await tokenOf(card) };
    const sent = await visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields) });
    return textOf(sent.location ? await visitPage(api, sent.location) : sent);
  };
  const { id, url } = await newLink();
  const declined = () => pay(url, 'tok_4000000000000002');
  for (let round = 1; round <= 6; round++)
    for (const told of await Promise.all([1, 2, 3, 4, 5].map(declined))) expect(told).not.toContain(TOO_MANY);
  expect(await declined()).toContain(TOO_MANY);
  expect(await pay(url, GOOD)).toContain(TOO_MANY);
  expect(await pay((await newLink()).url, GOOD)).toContain('Thank you for your payment');
  await sql(`update link_payment set created_at = created_at - interval '1 hour' where link_id = ${id}`);
  expect(await pay(url, GOOD)).toContain('Thank you for your payment');
});

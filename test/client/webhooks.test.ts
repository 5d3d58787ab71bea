import { expect, test } from '@jest/globals';
import { newWebhookSecret, signWebhook } from '../../adapters/signature.ts';
import { createClient, InvalidWebhook, verifyWebhook } from '../../client/index.ts';
import { startProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';

const secret = newWebhookSecret();
const now = new Date('2027-03-01T12:00:00Z');
const timestampSeconds = now.getTime() / 1000;
const body = '{"id":5,"object":"event","type":"invoice.paid","name":"Zoë"}';
const upper = (letter: string) => letter.toUpperCase();
const signed = (secrets: string[], over = {}) => signWebhook({ id: 'msg_5', timestampSeconds, body, secrets, ...over });
const verify = (headers: Record<string, string>, over = {}, text = body) =>
  verifyWebhook({ body: text, headers }, { secret, now, ...over });

test('a webhook is accepted if any of its signatures matches any of the secrets', async () => {
  const event = JSON.parse(body);
  expect(await verify(signed([secret]))).toEqual(event);
  expect(await verify(signed([newWebhookSecret(), secret]))).toEqual(event);
  expect(await verify(signed([secret]), { secret: [newWebhookSecret(), secret] })).toEqual(event);
  expect(await verifyWebhook({ body, headers: new Headers(signed([secret])) }, { secret, now })).toEqual(event);
});

test('names of headers are taken in any case', async () => {
  for (const written of [(name: string) => name.toUpperCase(), (name: string) => name.replace(/\b\w/g, upper)]) {
    const headers = Object.fromEntries(Object.entries(signed([secret])).map(([name, value]) => [written(name), value]));
    expect(await verify(headers)).toEqual(JSON.parse(body));
  }
});

test.each([
  ['another secret', signed([newWebhookSecret()]), body],
  ['another body', signed([secret]), body.replace('5', '6')],
  ['another id', { ...signed([secret]), 'webhook-id': 'msg_6' }, body],
  ['another time', { ...signed([secret]), 'webhook-timestamp': String(timestampSeconds + 1) }, body],
  ['an invalid time', { ...signed([secret]), 'webhook-timestamp': 'now' }, body],
  ['no signature', { ...signed([secret]), 'webhook-signature': '' }, body],
  ['a signature of another kind', { ...signed([secret]), 'webhook-signature': 'v1a,AAAA v1,*' }, body],
])('a webhook with %s is refused', async (_name, headers, text) => {
  await expect(verify(headers, {}, text)).rejects.toThrow(InvalidWebhook);
});

test('a webhook that is older than the tolerance, or from the future, is refused', async () => {
  for (const [seconds, accepted] of [
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ] as const) {
    const checked = verify(signed([secret], { timestampSeconds: timestampSeconds - seconds }));
    await (accepted ? checked : expect(checked).rejects.toThrow(/too old/));
  }
  await verify(signed([secret], { timestampSeconds: timestampSeconds - 301 }), { toleranceSeconds: 600 });
  await expect(verify(signed([secret]), { secret: 'whsec_' })).rejects.toThrow(TypeError);
});

test('a webhook that the product sends is accepted, and an altered one is refused', async () => {
  const product = await startProduct();
  const receiver = await startReceiver();
  const client = createClient({ baseUrl: product.url, apiKey: product.key });
  const { secret: given } = await client.post('/webhooks', { url: receiver.url, events: ['customer.created'] });
  const created = await client.post('/customers', { name: 'Ann' });
  const request = await receiver.waitFor(() => true, 'the webhook');
  const event = await verifyWebhook(request, { secret: given });
  expect(event).toMatchObject({ type: 'customer.created', data: { object: { id: created.id, name: 'Ann' } } });
  await expect(verifyWebhook({ ...request, body: `${request.body} ` }, { secret: given })).rejects.toThrow(
    InvalidWebhook,
  );
  await receiver.stop();
  await product.close();
});

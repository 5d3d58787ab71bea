import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createCipher, keyFingerprint } from '../../adapters/cipher.ts';
import { newWebhookSecret, signWebhook } from '../../adapters/signature.ts';

const nowSeconds = Math.floor(Date.now() / 1000);

test('an encrypted text can be decrypted only with its key and unaltered', () => {
  const key = randomBytes(32);
  const sealed = createCipher(key).encrypt('whsec_grün');
  expect(sealed).toMatch(/^v1\./);
  expect(createCipher(key).encrypt('whsec_grün')).not.toBe(sealed);
  expect(createCipher(key).decrypt(sealed)).toBe('whsec_grün');
  expect(() => createCipher(randomBytes(32)).decrypt(sealed)).toThrow('another key');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (const index of [0, 12, bytes.length - 1]) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
    expect(() => createCipher(key).decrypt(`v1.${altered.toString('base64url')}`)).toThrow('altered');
  }
  expect(() => createCipher(key).decrypt(sealed.slice(0, 20))).toThrow('cut short');
  expect(() => createCipher(key).decrypt(sealed.replace('v1', 'v2'))).toThrow('not a sealed text');
  expect(() => createCipher(randomBytes(16))).toThrow('32');
});

test('keys have different fingerprints, and one key always has the same', () => {
  const key = new Uint8Array(32).fill(7);
  expect(keyFingerprint(key)).toMatch(/^[0-9a-f]{16}$/);
  expect(keyFingerprint(new Uint8Array(key))).toBe(keyFingerprint(key));
  expect(keyFingerprint(randomBytes(32))).not.toBe(keyFingerprint(key));
});

test('a signed webhook verifies with each of its secrets, and with no other', () => {
  const [current, former] = [newWebhookSecret(), newWebhookSecret()];
  const body = '{"type":"invoice.paid","name":"Zoë"}';
  const headers = signWebhook({ id: 'evt_1_7', timestampSeconds: nowSeconds, body, secrets: [current, former] });
  for (const secret of [current, former]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'invoice.paid', name: 'Zoë' });
  }
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow('No matching signature');
  expect(() => signWebhook({ id: 'evt_1_7', timestampSeconds: nowSeconds, body, secrets: [] })).toThrow();
});

test('the signature matches the published example', () => {
  const headers = signWebhook({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

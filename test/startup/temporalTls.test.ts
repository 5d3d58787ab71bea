import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { temporalOptions } from '../../bin/deps.ts';
import { createLog } from '../../bin/log.ts';
import { installRuntime } from '../../bin/worker.ts';
import { createPayer, createPlan, subscribe } from '../support/business.ts';
import { type Certificate, selfSigned } from '../support/certificate.ts';
import { type Product, startProduct, testConfig } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { temporalAddress } from '../support/temporal.ts';
import { type SecureTemporal, startSecureTemporal } from '../support/tlsTemporal.ts';

let folder: string;
let ours: Certificate;
let theirs: Certificate;
/** Accepts only clients with the certificate `ours`. */
let server: SecureTemporal;

beforeAll(async () => {
  installRuntime(createLog('warn'));
  folder = mkdtempSync(join(tmpdir(), 'perennial-tls-'));
  ours = selfSigned('perennial');
  theirs = selfSigned('temporal');
  const shown = { ...theirs, ca: ours.cert, requestCert: true, rejectUnauthorized: true };
  server = await startSecureTemporal(temporalAddress(), shown);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file. Returns its path. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Environment variables for a hosted Temporal server. */
const variables = () => ({
  TEMPORAL_ADDRESS: server.address,
  TEMPORAL_API_KEY: 'key-of-ours',
  TEMPORAL_TLS_CA: file('ca.pem', theirs.cert),
  TEMPORAL_TLS_CERT: file('ours.pem', ours.cert),
  TEMPORAL_TLS_KEY: file('ours.key', ours.key),
  LOG_LEVEL: 'silent',
});

test('a subscription is billed over mutual TLS, with the API key in every call', async () => {
  const product: Product = await startProduct({ env: variables() });
  try {
    await createPlan(product, 'gold');
    const subscription = await subscribe(product, await createPayer(product, 'payer'), { code: 'gold' });
    await product.row(`select 1 from invoice where paid and subscription_id = ${subscription}`);
    await expectSound(product);
  } finally {
    await product.close();
  }
  expect(new Set(server.calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer key-of-ours']));
  // The relay's client and the workers use different libraries with their own connections.
  expect(new Set(server.calls.map(({ userAgent }) => userAgent)).size).toBe(2);
});

test('with TLS off, an API key is sent to a server without TLS', async () => {
  const env = { TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_API_KEY: 'key-of-ours', TEMPORAL_TLS: 'off' };
  const options = temporalOptions(testConfig({ DATABASE_URL: 'postgres://127.0.0.1:9/none', ...env }));
  await (await NativeConnection.connect(options)).close();
  await (await Connection.connect(options)).close();
});

test.each([
  ["without the CA of the server's certificate", { TEMPORAL_TLS_CA: '' }],
  ['without the client certificate that the server requires', { TEMPORAL_TLS_CERT: '', TEMPORAL_TLS_KEY: '' }],
  ['without TLS', { TEMPORAL_TLS: 'off', TEMPORAL_API_KEY: '' }],
])('a connection %s fails before any call', async (_what, less) => {
  const config = testConfig({ DATABASE_URL: 'postgres://127.0.0.1:9/none', ...variables(), ...less });
  const before = server.calls.length;
  await expect(NativeConnection.connect(temporalOptions(config))).rejects.toThrow();
  expect(server.calls).toHaveLength(before);
});

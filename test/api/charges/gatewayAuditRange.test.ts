import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { printGatewayAudit } from '../../../bin/gatewayAudit.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { TEST_KEY } from '../../support/database.ts';
import { testConfig } from '../../support/product.ts';

let books: Credits;
beforeAll(async () => {
  books = await startCredits();
  await books.begin();
});
afterAll(() => books.api.close());

/** The lines of an audit of charges that the gateway recorded in a range of time. */
async function audited(since: number, until: number): Promise<string> {
  const config = testConfig({
    DATABASE_URL: books.api.databaseUrl,
    PERENNIAL_ENCRYPTION_KEY: TEST_KEY.toString('base64'),
  });
  const lines: string[] = [];
  const range = ['--since', new Date(since).toISOString(), '--until', new Date(until).toISOString()];
  await printGatewayAudit(config, ['--gateway', ...range], (line) => lines.push(line));
  return lines.join();
}

test('the gateway audit compares from --since on, and before --until', async () => {
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const asked = { customer: books.customer, ...card, amount: 5, applied_to: [] };
  const { charge } = await books.api.sandbox.make('/charges', asked);
  await books.rows('update charge set amount = 6 where id = ?', [charge.id]);
  const recorded =
    'select extract(epoch from recorded_at)::float8 as at from test_gateway.operation where reference = ?';
  const [row] = await books.rows(recorded, [charge.gateway_id]);
  const at = Math.floor(Number(row?.at) * 1000);
  const drift = `charge ${charge.gateway_id}`;
  expect(await audited(at, at + 1)).toContain(drift);
  expect(await audited(at - 60_000, at)).not.toContain(drift);
  expect(await audited(at + 1, at + 60_000)).not.toContain(drift);
});

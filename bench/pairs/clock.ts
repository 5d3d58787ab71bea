import { createClient } from '../../client/index.ts';
import { cpuMilliseconds } from '../processes.ts';
import { until } from '../wait.ts';
import type { Side } from './checkout.ts';

const START = Date.UTC(2027, 0, 31, 10) / 1000;
const END = Date.UTC(2030, 0, 31, 10) / 1000 - 1;
/** Invoices of three years without the first one, which is issued before the clock advances. */
const INVOICES = 35;
/** A monthly plan that an earlier row has created. */
const PLAN = 'pairs';

/** Advances a test clock with one subscription by three years. Returns milliseconds of CPU per invoice. */
export async function advanceThreeYears({ stage, sql, pids }: Side): Promise<number> {
  const client = createClient({ baseUrl: `${stage.origin}/sandbox/api`, apiKey: stage.sandboxKey });
  const { id: test_clock } = await client.post('/test_clocks', { name: 'Pairs', frozen_time: START });
  const named = { name: 'Clocked', email: 'clocked@example.com', autopay: true, test_clock };
  const { id: customer } = await client.post('/customers', named);
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true } as const;
  await client.post('/customers/{id}/payment_sources', card, { id: customer });
  await client.post('/subscriptions', { customer, plan: PLAN, start_date: START });
  const isIdle = async () => {
    const [left] = await sql.query<{ open: number }>(
      `select ((select count(*) from wakeup where clock_id = $1 and at <= to_timestamp($2))
         + (select count(*) from email where state = 'queued'))::int as open`,
      [test_clock, START],
    );
    return left?.open === 0;
  };
  await until(isIdle, { what: 'the first invoice', withinSeconds: 60 });
  const before = cpuMilliseconds(pids);
  await client.post('/test_clocks/{id}/advance', { frozen_time: END }, { id: test_clock });
  const hasArrived = async () => {
    const [clock] = await sql.query<{ status: string }>('select status from test_clock where id = $1', [test_clock]);
    if (clock?.status === 'stopped') throw new Error('the clock stopped');
    return clock?.status === 'ready';
  };
  await until(hasArrived, { what: 'the clock to arrive', withinSeconds: 120, everyMilliseconds: 20 });
  return (cpuMilliseconds(pids) - before) / INVOICES;
}

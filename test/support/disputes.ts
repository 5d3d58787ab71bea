import { randomUUID } from 'node:crypto';
import { settleAttempt } from '../../commands/charges/attempts.ts';
import { withAccount } from '../../db/tenant.ts';
import type { Client, TestApi } from './api.ts';
import type { Credits } from './credits.ts';

/**
 * Charges a card that is disputed, and receives the event of the gateway and what it is about. `applied_to`: default: nothing, so that it
 * adds credit. Returns the id of the dispute.
 */
export async function seedDispute(
  api: TestApi,
  client: Client,
  customer: number,
  applied_to: readonly object[] = [],
): Promise<number> {
  const disputed = { method: 'credit_card', gateway_token: 'tok_4000000000000259', applied_to };
  const { charge } = await client.make('/charges', { customer, amount: 3, ...disputed });
  await api.gateway.sendEvents(api.origin);
  const accountId = client.account.id;
  const em = api.em.fork();
  const [row] = await em.execute<{ id: number }[]>(
    'select attempt_id as id from charge where account_id = ? and id = ?',
    [accountId, charge.id],
  );
  const key = { accountId, id: row?.id ?? 0 };
  await withAccount(accountId, () => settleAttempt({ ...api.deps, em: api.em }, key));
  return (await client.get(`/disputes?filter[charge]=${charge.id}`)).body[0].id;
}

/** A row of `test_gateway.dispute`. */
interface DisputeAtGateway {
  status: 'open' | 'won' | 'lost' | 'withdrawn';
  amount: number;
  /** The part that the bank keeps. Absent: all of it if the dispute is lost. */
  lost?: number;
}

/** Lets the gateway have a dispute of a charge, without an event. Returns the gateway's reference of it. */
export async function disputeAtGateway(
  { rows }: Pick<Credits, 'rows'>,
  charge: string,
  { status, amount, lost = status === 'lost' ? amount : 0 }: DisputeAtGateway,
): Promise<string> {
  const reference = `tgd_${randomUUID()}`;
  await rows(
    `insert into test_gateway.dispute (reference, charge_reference, amount, amount_lost, reason, fee, opens_at, evidence_due_at, closes_as, status)
     values (?, ?, ?, ?, 'fraudulent', 0, now(), '2199-01-01', 'won', ?)`,
    [reference, charge, amount, lost, status],
  );
  return reference;
}

/** Lets the gateway return a debit, without an event. */
export async function returnAtGateway(
  { rows }: Pick<Credits, 'rows'>,
  charge: string,
  code = 'insufficient_funds',
): Promise<void> {
  await rows('update test_gateway.operation set returned_at = now(), return_code = ? where reference = ?', [
    code,
    charge,
  ]);
}

/** Lets the gateway have an event to send about a charge. */
export async function announce({ rows, api }: Credits, charge: string, type: string): Promise<void> {
  await rows('insert into test_gateway.event (id, account_id, type, reference, due_at) values (?, ?, ?, ?, now())', [
    `evt_${randomUUID().replaceAll('-', '')}`,
    api.sandbox.account.id,
    type,
    charge,
  ]);
}

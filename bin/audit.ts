import { readTestGatewayRecord } from '../adapters/gateways/test/record.ts';
import { audit, auditChecks, type Drift } from '../db/queries/audit.ts';
import type { Sql } from '../db/queries/sql.ts';
import { connect } from '../workers/connection.ts';

/** The books of a database, by a login that sees all of it, against themselves and against the record of the test gateway. */
export async function auditDatabase(databaseUrl: string): Promise<Drift[]> {
  const connection = await connect(databaseUrl);
  try {
    await connection.query("set statement_timeout = '10min'");
    return [...(await audit(connection)), ...(await auditGateway(connection, databaseUrl))];
  } finally {
    await connection.close();
  }
}

/**
 * Money that the gateway took and we do not know of, or the other way round, or twice. Work may go on meanwhile: its record is read
 * first and, for what only we know, once more at the end.
 */
async function auditGateway(sql: Sql, databaseUrl: string): Promise<Drift[]> {
  const taken = await readTestGatewayRecord(databaseUrl);
  const undecided = await sql.query<{ reference: string }>(
    `select reference from attempt where reference is not null and state in ('open', 'unknown', 'pending')`,
  );
  const ours = await sql.query<{ reference: string; amount: string; accountId: number }>(
    `select gateway_id as reference, amount::float8::text as amount, account_id as "accountId" from charge
     where status = 'succeeded' and gateway = 'test'`,
  );
  // A test clock took its customers with it; customers go in no other way.
  const customers = await sql.query<{ key: string }>(
    `select concat(account_id, '/', id) as key from customer union all select concat(id, '/live') from account where environment = 'live'`,
  );
  const there = new Set(customers.map(({ key }) => key));
  const open = new Set(undecided.map((row) => row.reference));
  const known = new Map(ours.map((charge) => [charge.reference, charge]));
  const drifts: Drift[] = [];
  for (const { reference, captured, amount, accountId, customerId } of taken) {
    if (!there.has(`${accountId}/${customerId}`) && !there.has(`${accountId}/live`)) continue;
    const stored = Number(known.get(reference)?.amount ?? 0);
    const recomputed = captured * Number(amount);
    if (recomputed !== stored && !open.has(reference))
      drifts.push(gatewayDrift(reference, Number(accountId), { stored, recomputed }));
    known.delete(reference);
  }
  const later = known.size === 0 ? [] : await readTestGatewayRecord(databaseUrl);
  for (const { reference } of later) known.delete(reference);
  for (const { reference, accountId, amount } of known.values()) {
    drifts.push(gatewayDrift(reference, accountId, { stored: Number(amount), recomputed: 0 }));
  }
  return drifts;
}

function gatewayDrift(reference: string, accountId: number, amounts: { stored: number; recomputed: number }): Drift {
  const check = 'what the gateway captured is what we recorded, once';
  return {
    check,
    accountId,
    object: `charge ${reference}`,
    stored: `${amounts.stored}`,
    recomputed: `${amounts.recomputed}`,
  };
}

/** Prints the audit; answers the exit code: 0 when nothing drifts. */
export async function printAudit(databaseUrl: string): Promise<number> {
  const drifts = await auditDatabase(databaseUrl);
  for (const { check, accountId, object, stored, recomputed } of drifts) {
    console.log(`account ${accountId}, ${object}: ${check}; stored ${stored}, recomputed ${recomputed}`);
  }
  console.log(drifts.length === 0 ? `Books are clean: ${auditChecks.length + 1} checks` : `${drifts.length} drifts`);
  return drifts.length === 0 ? 0 : 1;
}

import { parseArgs } from 'node:util';
import { amountText, isZero } from '../billing/money/money.ts';
import { Refusal } from '../billing/refusal.ts';
import { settleAttempt } from '../commands/charges/attempts.ts';
import { recordLost } from '../commands/charges/recovering.ts';
import type { Gateway } from '../commands/ports/ports.ts';
import { brokenUnique, describeFailure } from '../db/failure.ts';
import { attemptOf } from '../db/queries/charges/gatewayEvents.ts';
import { withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { allGateways } from './allGateways.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';
import { buildDeps, type Deps } from './deps.ts';
import { STATEMENT_LIMIT } from './gatewayAudit.ts';
import { type Compared, comparedRecords, hasLostReversals, isLost } from './gatewayComparison.ts';
import { readTime } from './times.ts';

const USAGE = 'Usage: perennial recover --since <time> [--apply]   for example --since 2026-11-22T10:00:00Z';

/** A charge or refund that the database has lost, or a charge of which it has lost a return or a dispute. */
interface Lost extends Compared {
  gateway: Gateway;
}

/**
 * Command `recover`: lists the charges and refunds since a time that the gateways know and the database does not, and charges of which it
 * does not know a return or a dispute. With `--apply`, records them. Returns the exit code: 1 if some are left.
 */
export async function recover(
  config: Config,
  args: readonly string[],
  print: (line: string) => void = console.log,
): Promise<number> {
  const { since, isApplied } = askedIn(args);
  const deps = await buildDeps(config);
  try {
    const lost = await findLost(deps, since);
    let left = 0;
    for (const one of lost) {
      const reason = isApplied ? await applied(deps, one).catch(describeFailure) : 'lost';
      if (reason !== null) left += 1;
      print(`${inWords(one)}: ${reason ?? 'recorded'}`);
    }
    const recorded = lost.length - left;
    if (lost.length === 0) print(`The database has lost nothing of the gateways since ${since.toISOString()}`);
    else if (isApplied) print(`${recorded} recorded, ${left} not`);
    else print(`${lost.length} lost. Record them with --apply`);
    return left > 0 ? 1 : 0;
  } finally {
    await deps.close();
  }
}

function askedIn(args: readonly string[]): { since: Date; isApplied: boolean } {
  const options = { since: { type: 'string' }, apply: { type: 'boolean' } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const since = readTime(values.since ?? '');
    if (since) return { since, isApplied: values.apply ?? false };
  } catch {} // an unknown argument
  throw new ConfigError(USAGE);
}

/** The lost charges, then the lost refunds, because a refund may be of a lost charge. */
async function findLost(deps: Deps, since: Date): Promise<Lost[]> {
  const range = { since, until: new Date(FAR), deadline: deps.gatewayDeadline };
  const connection = await deps.open(null);
  const lost: Lost[] = [];
  try {
    await connection.query(STATEMENT_LIMIT);
    for (const gateway of await allGateways(deps, connection)) {
      for await (const compared of comparedRecords(connection, gateway, range)) {
        if (isLost(compared) || hasLostReversals(compared)) lost.push({ ...compared, gateway });
      }
    }
  } finally {
    await connection.close();
  }
  const ofKind = (kind: 'charge' | 'refund') => lost.filter(({ record }) => record.kind === kind);
  return [...ofKind('charge'), ...ofKind('refund')];
}

/** Later than any clock, so that the record is read to its end. */
const FAR = '9999-01-01';

/** Records a lost charge or refund, with the outcome as the gateway reports it now. Returns the reason why not; null: it is recorded. */
async function applied(deps: Deps, { gateway, record, recorded }: Lost): Promise<string | null> {
  const { accountId, reference, madeAt } = record;
  if (recorded.environment === null) return `account ${accountId} is not in the database`;
  if (!isLost({ record, recorded })) return appliedReversals(deps, { gateway, record });
  const outcome = await gateway.look(reference, madeAt.getTime(), AbortSignal.timeout(deps.gatewayDeadline));
  if (outcome.status !== 'succeeded' && outcome.status !== 'pending') return `the gateway now says ${outcome.status}`;
  const { lookUpDelay, systemNow } = deps;
  const found = { gateway: gateway.name, record, outcome, lookUpDelay };
  try {
    await withAccount(accountId, () => inTransaction(deps.em, (em) => recordLost(em, found, systemNow())));
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    if (!RECORDED.includes(brokenUnique(error) ?? '')) throw error;
  }
  return appliedReversals(deps, { gateway, record });
}

/** Records returns and disputes of a charge, or that a refund failed, as the gateway reports them now. */
async function appliedReversals(deps: Deps, { gateway, record }: Pick<Lost, 'gateway' | 'record'>): Promise<null> {
  const { accountId, reference } = record;
  await withAccount(accountId, async () => {
    const id = await attemptOf(deps.em.fork(), { accountId, gateway: gateway.name, reference });
    if (id !== null) await settleAttempt(deps, { accountId, id });
  });
  return null;
}

/** Unique constraints that a second recovery at the same time breaks. */
const RECORDED = ['charge_gateway_id', 'refund_gateway_id', 'attempt_key'];

function inWords({ gateway, record }: Lost): string {
  const { accountId, kind, reference, amount, currency, customerId, status, recordedAt, takenBack } = record;
  const taken = isZero(takenBack) ? '' : `, ${amountText(takenBack, currency)} taken back`;
  const what = `${kind} ${reference} of ${amountText(amount, currency)} at ${gateway.name}, ${status}${taken}`;
  return `account ${accountId}, customer ${customerId}: ${what}, ${recordedAt.toISOString()}`;
}

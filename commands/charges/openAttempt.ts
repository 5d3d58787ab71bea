import type { Interruption } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { attemptToCall } from '../../db/queries/charges/attempts.ts';
import { type Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { Cipher, Gateway, GatewayOutcome, Gateways } from '../ports/ports.ts';
import type { Operated } from './operations.ts';

/** Everything that calls of a gateway need. */
export interface AttemptDeps {
  em: EntityManager;
  gateways: Pick<Gateways, 'find'>;
  cipher: Cipher;
  systemNow: () => Date;
  /** Time limit for all gateway calls of one run, milliseconds. */
  gatewayDeadline: number;
  log: { warn(fields: object, message: string): void };
}

/** An attempt without an outcome, and how to call its gateway. */
export interface OpenAttempt extends Operated {
  key: ProcessKey;
  gateway: Gateway;
  /** The customer's time in epoch milliseconds, for the gateway. */
  at: number;
  signal: AbortSignal;
  /** Whether the request that started it waits for the answer. */
  isAwaited: boolean;
}

/** Opens the gateway of an attempt. Reads the attempt unless `started` has all that is needed. Null: it has an outcome. Throws Missing. */
export async function loadOpen(deps: AttemptDeps, key: ProcessKey, started?: Attempt): Promise<OpenAttempt | null> {
  const read =
    started && needsNoRead(started) ? { attempt: started, refundedCharge: null, now: started.createdAt } : null;
  const { attempt, refundedCharge, now } = read ?? (await readAttempt(deps, key));
  if (!UNDECIDED.includes(attempt.state)) return null;
  const gateway = await deps.gateways.find(key.accountId, attempt.gateway);
  if (!gateway) throw new Error(`no gateway ${attempt.gateway}`);
  const signal = AbortSignal.timeout(deps.gatewayDeadline);
  return { key, attempt, refundedCharge, gateway, at: now.getTime(), signal, isAwaited: started !== undefined };
}

/** Whether a new attempt has all that its operation needs. A refund also needs the charge that it refunds. */
function needsNoRead({ kind, source }: Attempt): boolean {
  return kind !== 'refund' && (!source || Boolean(source.gatewayId));
}

async function readAttempt(deps: AttemptDeps, key: ProcessKey) {
  const read = await attemptToCall(deps.em.fork(), key);
  if (!read) throw new Missing('Attempt', key.id);
  const { attempt, refundedCharge, frozenAt } = read;
  return { attempt, refundedCharge, now: frozenAt ?? deps.systemNow() };
}

/** Logs that the gateway did not answer, or failed. */
export function warn(deps: AttemptDeps, open: OpenAttempt, error: unknown): null {
  const reason = error instanceof Error ? error.message : String(error);
  deps.log.warn({ attempt: open.attempt.id, gateway: open.gateway.name, reason }, 'gateway did not answer');
  return null;
}

/** The gateway refused the request of an operation, which was not made. */
export interface Refused {
  status: 'abandoned';
  why: 'refused';
  code: string;
  message: string;
}

/** `unknown`: the gateway did not answer in time, or failed. `why` absent: `not_made`. */
export type Outcome =
  | Exclude<GatewayOutcome, { status: 'abandoned' }>
  | { status: 'abandoned'; why?: Exclude<Interruption, 'refused'> }
  | Refused
  | { status: 'unknown'; source: null };

/** An outcome, or that the payer has to authenticate before there is one. */
export type Found = Outcome | { status: 'waiting'; sealedChallenge: string };

/** A locked attempt with a new outcome, and its locked customer. */
export interface LockedAttempt extends LockedCustomer {
  attempt: Attempt;
  /** Whether its charge or refund was written before: as pending, or as a refund that was made and fails now. */
  isWritten: boolean;
  /** Whether the outcome comes from the gateway's record after the database lost it. Its customer gets no second mail about it. */
  isRecovered: boolean;
  /** Whether it was recorded as not made before. */
  isReopened?: boolean;
}

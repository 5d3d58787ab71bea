import type { Middleware } from 'koa';
import type { ErrorCode } from '../../billing/errorCodes.ts';
import { FileStoreAway, Overload, Unprintable } from '../../billing/failures.ts';
import type { Presented } from '../../billing/json.ts';
import { PermissionMissing, Refusal } from '../../billing/refusal.ts';
import { Missing } from '../../commands/kernel/missing.ts';
import { watchingCommits } from '../../db/commits.ts';
import { brokenUnique, isCanceled, isForeignRow, isLockTimeout, isUnavailable } from '../../db/failure.ts';
import { type ErrorType, presentError } from '../../present/kernel/error.ts';
import { saidIn } from '../../present/kernel/said.ts';
import { presentAs } from '../../present/versions/versions.ts';
import { spokenOf } from '../../words/languages.ts';
import type { ApiDeps } from '../framework/deps.ts';
import {
  Busy,
  Forbidden,
  NoRoute,
  Stale,
  TooMany,
  TooManyAtOnce,
  TooManyVisits,
  Unauthorized,
  Unrecorded,
} from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { quoted } from '../writing/matching.ts';

interface Shown {
  statusCode: number;
  type: ErrorType;
  code: ErrorCode;
  message: string;
  param?: string | null;
  stale?: { etag: string; current: Presented | null };
  /** Only for 429 and 503. Null: the request must not be sent again without a look at what is stored. */
  retrySeconds?: number | null;
}

/** The response to each kind of error. Null: an unexpected error, which is answered with 500. */
function shownError(error: unknown): Shown | null {
  if (error instanceof PermissionMissing) return { ...invalid(403, error.code, error.message), param: error.param };
  if (error instanceof Stale) {
    const { code, message, param, etag, current } = error;
    return { ...invalid(400, code, message), param, stale: { etag: quoted(etag), current } };
  }
  if (error instanceof Refusal) return { ...invalid(400, error.code, error.message), param: error.param };
  if (error instanceof Unprintable)
    return invalid(400, 'document_unprintable', `The PDF of this document cannot be rendered. ${error.message}`);
  if (error instanceof Unauthorized) return invalid(401, 'authentication_required', error.message);
  if (error instanceof Forbidden) return invalid(403, error.code, error.message);
  if (isForeignRow(error))
    return invalid(403, 'permission_missing', 'This changes something that does not belong to customers of the member');
  if (error instanceof Missing) return invalid(404, 'resource_missing', error.message);
  if (error instanceof NoRoute) return invalid(404, 'route_missing', error.message);
  return shownWait(error) ?? lostRace(error);
}

/** The responses to requests that may be sent again later. */
function shownWait(error: unknown): Shown | null {
  if (error instanceof TooMany || error instanceof TooManyAtOnce)
    return { ...invalid(429, 'rate_limited', error.message), retrySeconds: error.retrySeconds };
  if (error instanceof Unrecorded)
    return { ...invalid(429, 'outcome_unknown', error.message), retrySeconds: error.retrySeconds };
  if (error instanceof TooManyVisits)
    return { ...invalid(429, 'rate_limited', error.message), retrySeconds: error.seconds };
  if (error instanceof Busy) return invalid(429, 'idempotency_in_progress', error.message);
  if (error instanceof Overload) return invalid(429, 'busy', error.message);
  if (isLockTimeout(error)) return invalid(429, 'busy', 'Other requests are changing the same object; try again');
  if (isCanceled(error)) return invalid(429, 'busy', 'The database did not answer in time; try again');
  if (error instanceof FileStoreAway)
    return { ...away, code: 'files_unavailable', message: error.message, retrySeconds: FULL_SECONDS };
  return isUnavailable(error) ? away : null;
}

/** Messages for violated unique constraints: a concurrent request took the value after the command had checked that it was free. */
const uniques: Readonly<Record<string, { message: string; param: string }>> = {
  customer_number: { message: 'Number is taken', param: 'number' },
  invoice_number: { message: 'Number is taken', param: 'number' },
  estimate_number: { message: 'Number is taken', param: 'number' },
  credit_note_number: { message: 'Number is taken', param: 'number' },
  item_code: { message: 'Id is taken', param: 'id' },
  coupon_code: { message: 'Id is taken', param: 'id' },
  tax_rate_code: { message: 'Id is taken', param: 'id' },
  plan_code: { message: 'Id is taken', param: 'id' },
};

function lostRace(error: unknown): Shown | null {
  const lost = uniques[brokenUnique(error) ?? ''];
  return lost ? { ...invalid(400, 'already_taken', lost.message), param: lost.param } : null;
}

function invalid(statusCode: number, code: ErrorCode, message: string): Shown {
  return { statusCode, type: 'invalid_request', code, message };
}

/** Seconds after which a request may be sent again while the database is away, and while files cannot be stored. */
const AWAY_SECONDS = 5;
const FULL_SECONDS = 30;

/** The response while the database is away and nothing was changed. */
const away: Shown = {
  statusCode: 503,
  type: 'api',
  code: 'service_unavailable',
  message: 'The database cannot serve requests at the moment. Nothing was changed; try again',
  retrySeconds: AWAY_SECONDS,
};

/** The response when the connection was lost and the change may have been stored. Only a request with a key can be sent again. */
function unknownOutcome(hasKey: boolean): Shown {
  const lost = 'The connection to the database was lost, and the change may have been stored';
  const answer = { type: 'api', code: 'outcome_unknown' } as const;
  if (!hasKey)
    return { ...answer, statusCode: 500, message: `${lost}; look at what is stored before the request is sent again` };
  const message = `${lost}; send the same request with the same Idempotency-Key to learn the outcome`;
  return { ...answer, statusCode: 503, message, retrySeconds: AWAY_SECONDS };
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** Whether the database could not serve the request, because it is away or has too much to do. */
const isUnserved = (error: unknown) => isUnavailable(error) || error instanceof Overload;

/** Answers every error as JSON. An unexpected error is logged with the request's id, and the client does not see its text. */
export function errors(deps: ApiDeps): Middleware<ApiState> {
  return async (ctx, next) => {
    const commits = { mayHaveHappened: false };
    try {
      await watchingCommits(commits, next);
    } catch (error) {
      const isUnknown = commits.mayHaveHappened && !isRead(ctx.method) && isUnserved(error);
      const foreseen = isUnknown ? unknownOutcome(typeof ctx.state.idempotencyKey === 'string') : shownError(error);
      const shown = foreseen ?? unforeseen(deps, ctx.state.requestId, error);
      logUnserved(deps, error);
      ctx.status = shown.statusCode;
      const challenge = error instanceof Unauthorized || error instanceof Forbidden ? error.challenge : null;
      if (challenge !== null) ctx.set('WWW-Authenticate', challenge);
      const { retrySeconds = 1 } = shown;
      if ([429, 503].includes(shown.statusCode) && retrySeconds !== null) ctx.set('Retry-After', String(retrySeconds));
      const message = saidIn(shown.message, spokenOf(ctx.acceptsLanguages()));
      ctx.body = presentAs(ctx.state.apiVersion ?? null, presentError({ ...shown, message }));
    }
  };
}

function logUnserved({ log }: ApiDeps, error: unknown): void {
  if (error instanceof FileStoreAway) log.error({ err: error.cause }, 'the file store did not serve a request');
  else if (isCanceled(error)) log.warn({ err: error }, 'a statement exceeded its time limit');
  else if (isUnavailable(error)) log.warn({ err: error }, 'the database did not serve a request');
}

function unforeseen(deps: ApiDeps, requestId: string, error: unknown): Shown {
  deps.log.error({ err: error }, 'request failed');
  return {
    statusCode: 500,
    type: 'api',
    code: 'internal_error',
    message: `Something went wrong on our side. Request-Id: ${requestId}`,
  };
}

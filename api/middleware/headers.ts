import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { VERSIONS } from '../../commands/kernel/caller.ts';
import type { ApiState } from '../framework/state.ts';
import { tagsIn } from '../writing/matching.ts';

/** Echoes a requested version that is known. Runs before authentication, so that responses to invalid keys have it, too. */
export const requestedVersion: Middleware<ApiState> = async (ctx, next) => {
  const asked = ctx.req.headers['api-version'];
  if (isKnown(asked)) {
    ctx.state.apiVersion = asked;
    ctx.set('Api-Version', asked);
  }
  await next();
};

/** Sets the requested version, or else the account's version. Every response from here on echoes it. */
export const apiVersion: Middleware<ApiState> = async (ctx, next) => {
  const asked = ctx.req.headers['api-version'];
  const version = isKnown(asked) ? asked : ctx.state.credential?.account.apiVersion;
  if (version === undefined) throw new Error('the version was asked for before authentication');
  ctx.state.apiVersion = version;
  ctx.set('Api-Version', version);
  await next();
};

/** Throws a Refusal for an unknown version. */
export const refuseUnknownVersion: Middleware<ApiState> = async (ctx, next) => {
  const asked = ctx.req.headers['api-version'];
  if (asked !== undefined && !isKnown(asked)) {
    throw new Refusal('parameter_invalid', `Api-Version must be one of ${VERSIONS.join(', ')}`, 'Api-Version');
  }
  await next();
};

function isKnown(asked: string | string[] | undefined): asked is string {
  return VERSIONS.some((known) => known === asked);
}

/** Reads and checks the If-Match of a write. */
export const ifMatch: Middleware<ApiState> = async (ctx, next) => {
  const text = ctx.method === 'GET' || ctx.method === 'HEAD' ? undefined : ctx.req.headers['if-match'];
  ctx.state.ifMatch = text === undefined ? null : tagsIn(text);
  await next();
};

const MOST_CHARACTERS = 255;

/** Reads and checks the Idempotency-Key of a write. */
export const idempotencyKey: Middleware<ApiState> = async (ctx, next) => {
  const key = ctx.method === 'GET' || ctx.method === 'HEAD' ? undefined : ctx.req.headers['idempotency-key'];
  if (key === '' || Array.isArray(key) || (key?.length ?? 0) > MOST_CHARACTERS) {
    throw new Refusal(
      'parameter_invalid',
      `Idempotency-Key must have 1 to ${MOST_CHARACTERS} characters`,
      'Idempotency-Key',
    );
  }
  ctx.state.idempotencyKey = key ?? null;
  await next();
};

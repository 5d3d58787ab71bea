import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import type { ApiState } from '../framework/state.ts';

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

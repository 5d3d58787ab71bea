import type { Middleware } from 'koa';
import type { ApiState } from '../framework/state.ts';
import { answerHeaders } from '../pages/kit/policy.ts';

/** Sets the security headers that every response has. Pages replace some of them. */
export function security(publicUrl: string): Middleware<ApiState> {
  const headers = answerHeaders({ isSecure: publicUrl.startsWith('https:') });
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
}

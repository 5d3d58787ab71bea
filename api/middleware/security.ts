import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from '../framework/state.ts';

const YEAR_SECONDS = 31_536_000;
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Security headers for browsers. Pages set their own policy: `pagePolicy`. */
export function security(publicUrl: string): Middleware<ApiState> {
  const isSecure = publicUrl.startsWith('https:');
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Security-Policy', ANSWER_POLICY);
    if (isSecure) ctx.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    await next();
  };
}

/** Content-Security-Policy of a self-contained page: only its own inline scripts may run. */
export function pagePolicy(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, source = '']) => {
    return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
  });
  const parts = [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return parts.join('; ');
}

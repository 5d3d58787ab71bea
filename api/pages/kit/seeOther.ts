import type { Context } from 'koa';

/** Redirects to a page once a form has been taken. The browser reads that page with GET, so a reload does not send the form again. */
export function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.body = null;
  ctx.status = 303;
}

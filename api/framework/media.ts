import type { Context } from 'koa';

/** The form of a response: JSON, the PDF of a document, or the XML of its e-invoice. */
export type Medium = 'json' | 'pdf' | 'xml';

/** The form that a client prefers. XML is only for clients that do not accept JSON: browsers and many libraries accept both. */
export function preferredMedium(ctx: Pick<Context, 'accepts'>): Medium {
  const takesJson = ctx.accepts('application/json') !== false;
  if (!takesJson && ctx.accepts('application/pdf', 'application/xml') === 'application/xml') return 'xml';
  return ctx.accepts('application/json', 'application/pdf') === 'application/pdf' ? 'pdf' : 'json';
}

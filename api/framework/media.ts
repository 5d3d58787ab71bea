import type { Context } from 'koa';

/** The form of a response: JSON, the PDF of a document, or the XML of its e-invoice. */
export type Medium = 'json' | 'pdf' | 'xml';

/** The form that a client prefers. Browsers accept XML, too, but prefer HTML: they get JSON. */
export function preferredMedium(ctx: Pick<Context, 'accepts'>): Medium {
  if (ctx.accepts('application/json', 'application/pdf') === 'application/pdf') return 'pdf';
  return ctx.accepts('application/json', 'text/html', 'application/xml') === 'application/xml' ? 'xml' : 'json';
}

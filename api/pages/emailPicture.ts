import type { Middleware } from 'koa';
import { recordOpening } from '../../commands/mail/openings.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { TooManyVisits } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { clientAddress, proxiesOf } from '../limits/clientAddress.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';

const ADDRESS = /^\/opened\/(\d{1,9})\/([A-Za-z0-9_-]{32})\.gif$/;
const MOST_CHARACTERS = 255;
/** One transparent pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Serves the tracking picture of emails and records that the email was opened. The response is always the same, even if there is no such
 * email. Openings from an address over its limit are not recorded.
 */
export function emailPicture(deps: ApiDeps): Middleware<ApiState> {
  const trusted = proxiesOf(deps.trustedProxies);
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/opened/')) return next();
    ctx.state.page = '/opened/:account/:token';
    const [, account = '', token] = ADDRESS.exec(ctx.path) ?? [];
    if (token === undefined || !['GET', 'HEAD'].includes(ctx.method)) return next();
    ctx.type = 'image/gif';
    ctx.body = PICTURE;
    if (ctx.method === 'HEAD') return; // a HEAD request shows no picture
    const accountId = Number(account);
    const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), trusted);
    const userAgent = ctx.get('User-Agent').slice(0, MOST_CHARACTERS) || null;
    const opened = { accountId, token, ip, userAgent };
    const count = async () => {
      await limit(ctx, 'picture');
      await inTransaction(deps.em, (em) => recordOpening(em, opened, deps.systemNow()));
    };
    await withAccount(accountId, count).catch((error: unknown) => {
      if (error instanceof TooManyVisits) return;
      deps.log.warn({ err: error }, 'the opening of an email could not be recorded');
    });
  };
}

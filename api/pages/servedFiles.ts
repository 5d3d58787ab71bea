import type { Context, Middleware } from 'koa';
import { visibleLine } from '../../billing/look/visibleText.ts';
import { bytesOf } from '../../commands/files/strayBytes.ts';
import type { EntityManager } from '../../db/orm.ts';
import { File } from '../../db/schema/file.ts';
import { withAccount } from '../../db/tenant.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute } from '../framework/errors.ts';
import type { Reply } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { FILE_POLICY } from './kit/policy.ts';

const ADDRESS = /^\/files\/(\d{1,9})\/([A-Za-z0-9_-]{43})$/;
type Serving = Pick<ApiDeps, 'em' | 'fileStore' | 'log' | 'systemNow' | 'trustedProxies'>;

/** Serves uploaded files at their URLs. Knowing the URL is the only credential. */
export function servedFiles(deps: Serving): Middleware<ApiState> {
  const { em, fileStore, log } = deps;
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/files/')) return next();
    ctx.state.page = '/files/:account/:token';
    if (!['GET', 'HEAD'].includes(ctx.method)) return next();
    await limit(ctx, 'file');
    const about = await fileAt(em.fork(), ctx.path);
    const bytes = about && (await bytesOf(fileStore, about));
    if (!about || !bytes) {
      if (about) log.error({ account: about.accountId, file: about.id }, 'the file store has no bytes for a file');
      throw new NoRoute('There is no such file');
    }
    sendFile(ctx, { about, bytes });
  };
}

async function fileAt(em: EntityManager, path: string): Promise<File | null> {
  const [, account = '', token = ''] = ADDRESS.exec(path) ?? [];
  const accountId = Number(account);
  return token === '' ? null : withAccount(accountId, () => em.findOne(File, { accountId, token }));
}

/**
 * Sends a file, which browsers save and do not show. `attachment` derives a type from the file's extension; the declared type replaces it.
 */
export function sendFile(
  ctx: Pick<Context, 'attachment' | 'set' | 'body' | 'length'>,
  { about, bytes }: NonNullable<Reply['file']>,
): void {
  ctx.set('Content-Security-Policy', FILE_POLICY);
  ctx.attachment(visibleLine(about.name));
  ctx.set('Content-Type', about.type ?? 'application/octet-stream');
  ctx.body = bytes;
  if (typeof about.size === 'number') ctx.length = about.size;
}

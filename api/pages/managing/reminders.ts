import type { Context, Middleware } from 'koa';
import { addressesOf, changeReminders, isStopped } from '../../../commands/chasing/reminderAddresses.ts';
import { sellerHead } from '../../../commands/documents/sellerHead.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { Account } from '../../../db/schema/account.ts';
import { ReminderAddress } from '../../../db/schema/reminder.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { createVisitorLimit, type VisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { answerMissing } from '../hosted/page.ts';
import { answerPage } from '../kit/page.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import { hasToken } from './address.ts';
import { hostOf } from './frame.ts';
import { REMINDERS, type RemindersPage, remindersPage } from './remindersPage.ts';

type Serving = Pick<ApiDeps, 'em' | 'systemNow'> & { limit: VisitorLimit };

const ADDRESS = /^\/reminders\/(\d{1,9})\/(\d{1,10})\/([0-9a-f]{32})$/;
/** The account under which a request runs whose path is not that of a link. */
const NOBODY = 0;

/**
 * Serves the pages that stop reminders. Knowing the URL is the only credential: a mail program that stops them with one click (RFC 8058) has
 * neither cookie nor form. GET changes nothing, because programs open the links of mails.
 */
export function reminderPages(deps: Pick<ApiDeps, 'em' | 'systemNow' | 'trustedProxies'>): Middleware<ApiState> {
  const serving = { ...deps, limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/reminders/')) return next();
    ctx.state.page = '/reminders/:account/:id/:token';
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const [, account = '', id = '', token = ''] = ADDRESS.exec(ctx.path) ?? [];
    const link = { accountId: Number(account) || NOBODY, id: Number(id), token };
    await withAccount(link.accountId, () => visit(ctx, serving, link)).catch(askLater(ctx));
  };
}

interface Link {
  accountId: number;
  id: number;
  token: string;
}

async function visit(ctx: Context, deps: Serving, link: Link): Promise<void> {
  const isSent = ctx.method === 'POST';
  await deps.limit(ctx, isSent ? 'reminder' : 'document');
  const opened = await open(ctx, deps, link);
  if (!opened) return answerMissing(ctx, deps.em.fork(), link.accountId);
  if (!isSent) return answerPage(ctx, remindersPage(opened.page), 200);
  await take(ctx, deps, { link, opened });
}

interface Opened {
  account: Account;
  page: RemindersPage;
}

/** Finds the address of a link. Null: there is none, or the link was revoked. */
async function open(ctx: Context, deps: Serving, { accountId, id, token }: Link): Promise<Opened | null> {
  if (id > LARGEST_ID || token === '') return null;
  const em = deps.em.fork();
  const account = await em.findOne(Account, { id: accountId });
  const row = await em.findOne(ReminderAddress, { accountId, id }, { populate: ['customer'] });
  if (!account || !row || !hasToken({ token }, row)) return null;
  const { customer, address } = row;
  if (customer.anonymizedAt) return null;
  const known = await addressesOf(em, customer);
  const terms = { currency: customer.currency ?? account.currency, timeZone: account.timeZone };
  const host = hostOf(account, await sellerHead(em, { account, customer }, terms));
  return { account, page: { host, path: ctx.path, address, isStopped: isStopped(known, address) } };
}

/**
 * Stops reminders, or resumes them if the page's form says so. The form leads back to the page. One click is answered without a redirect, as
 * RFC 8058 demands.
 */
async function take(ctx: Context, deps: Serving, { link, opened }: { link: Link; opened: Opened }): Promise<void> {
  const answer = (await readForm(ctx)).get(REMINDERS);
  const { account, page } = opened;
  const stops = answer !== 'resume';
  const change = { account, id: link.id, token: link.token, isStopped: stops };
  try {
    await inTransaction(deps.em, (em) => changeReminders(em, change, deps.systemNow()));
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return answerMissing(ctx, deps.em.fork(), link.accountId);
  }
  if (answer === null) return answerPage(ctx, remindersPage({ ...page, isStopped: stops }), 200);
  seeOther(ctx, ctx.path);
}

import type { Middleware } from 'koa';
import { Overload } from '../../../billing/failures.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { setting } from '../../../billing/settings.ts';
import { sellerHead } from '../../../commands/documents/sellerHead.ts';
import { canWrite, logRefusedInPortal, portalVisitor } from '../../../commands/portal/sessions.ts';
import { isUnavailable } from '../../../db/failure.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { holdersOf } from '../../../db/queries/portal/sessions.ts';
import { Account } from '../../../db/schema/account.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { portalWordsOf } from '../../../words/portal/words.ts';
import { refuseNulInUrl } from '../../body/nul.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { proxiesOf } from '../../limits/clientAddress.ts';
import { createVisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { missingPage } from '../hosted/page.ts';
import { linkButton } from '../kit/forms.ts';
import { html } from '../kit/html.ts';
import { answerPage } from '../kit/page.ts';
import { seeOther } from '../kit/posted.ts';
import { ForeignForm, readForm } from '../people/site.ts';
import { TooManyTries } from '../people/throttle.ts';
import { tellGuest } from './frame.ts';
import { openPages } from './openPages.ts';
import type { Place, PortalVisit } from './place.ts';
import { placeAt, places } from './places.ts';
import { guestOf, NothingThere, type PortalGuest, type PortalSite, returnPart, sessionOf, signInPath } from './site.ts';

const ADDRESS = /^\/portal\/(\d{1,9})(?:\/([a-z_]+)((?:\/[\w-]{1,100}){0,4}))?$/;
/** The account under which a request runs whose path is not that of a portal. */
const NOBODY = 0;

/** Serves the portals in which customers of an account look after what they owe. */
export function portalPages(deps: ApiDeps): Middleware<ApiState> {
  const site: PortalSite = { deps, proxies: proxiesOf(deps.trustedProxies), limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/portal/') || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    const [, account = '', path = '', below = ''] = ADDRESS.exec(ctx.path) ?? [];
    const known = placeAt(path) || openPages.get(path);
    ctx.state.page = `/portal/:account${path !== '' && known ? `/${path}` : ''}${below === '' ? '' : '/*'}`;
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const accountId = Number(account) || NOBODY;
    const rest = below.split('/').slice(1);
    await withAccount(accountId, () => serve(site, ctx, { accountId, path, rest })).catch(askLater(ctx));
  };
}

interface Address {
  accountId: number;
  path: string;
  rest: readonly string[];
}

type Ctx = PortalGuest['ctx'];

async function serve(site: PortalSite, ctx: Ctx, { accountId, path, rest }: Address): Promise<void> {
  await site.limit(ctx, ctx.method === 'POST' ? 'portal_form' : 'portal');
  const em = site.deps.em.fork();
  const account = await em.findOne(Account, { id: accountId });
  if (!account) return missing(ctx);
  const guest = await guestOf(site, ctx, { em, account });
  if (!setting(account, 'portal_enabled'))
    return tellGuest(guest, { title: guest.words.closedTitle, why: guest.words.closedWhy, status: 404 });
  try {
    refuseNulInUrl(ctx);
    const open = openPages.get(path);
    if (open) await open(guest, rest);
    else await visitPlace(guest, { place: placeAt(path), path, rest });
  } catch (error) {
    if (error instanceof NothingThere) tellMissing(guest);
    else explain(guest, error);
  }
}

function missing(ctx: Ctx): void {
  answerPage(ctx, missingPage(ctx.acceptsLanguages()), 404);
}

/** Answers who asks the portal for something that is not in it. */
function tellMissing(guest: PortalGuest): void {
  const { words, root } = guest;
  const { notThere, notThereWhy } = guest.head.pen.labels;
  const onward = html`<p class="actions">${linkButton(words.toHome, root)}</p>`;
  tellGuest(guest, { title: notThere, why: notThereWhy, status: 404, onward });
}

/** Answers errors that a visitor can act on with a page. Throws all others again. */
function explain(guest: PortalGuest, error: unknown): void {
  const { ctx, words, root } = guest;
  const onward = html`<p class="actions">${linkButton(words.toHome, root)}</p>`;
  if (error instanceof TooManyTries) {
    ctx.set('Retry-After', String(error.seconds));
    tellGuest(guest, { title: words.triesTitle, why: words.triesWhy, status: 429 });
  } else if (error instanceof ForeignForm)
    tellGuest(guest, { title: words.staleTitle, why: words.staleWhy, status: 403, onward });
  else if (error instanceof Refusal && !(error instanceof Overload) && !isUnavailable(error))
    tellGuest(guest, { title: words.refusedTitle, why: words.refusedWhy, status: 400, onward });
  else throw error;
}

async function visitPlace(
  guest: PortalGuest,
  { place, path, rest }: { place: Place | null; path: string; rest: readonly string[] },
): Promise<void> {
  const { ctx, root } = guest;
  const visit = await visitOf(guest);
  if (!visit) {
    const asked = ctx.method === 'POST' ? path : `${[path, ...rest].join('/')}${ctx.search}`;
    return seeOther(ctx, signInPath(root, returnPart(asked)));
  }
  if (!place) throw new NothingThere();
  if (ctx.method === 'POST') return takeAt(visit, place, rest);
  if (!place.isOpen(visit)) throw new NothingThere();
  return place.show(visit, rest);
}

/** Takes a form, or what a script sends as JSON, for which browsers ask before they send it from another site. */
async function takeAt(visit: PortalVisit, { path, take, isOpen }: Place, rest: readonly string[]): Promise<void> {
  if (!take) throw new NothingThere();
  const isToken = take.tokens !== undefined && rest.at(-1) === 'tokens';
  const sent = isToken ? null : await readForm(visit.site, visit.ctx);
  if (!canWrite(visit.visitor, take.needs)) return refuse(visit, path);
  if (!isOpen(visit)) throw new NothingThere();
  if (sent) await take.form(visit, rest, sent);
  else await take.tokens?.(visit, rest);
}

/** Refuses a write to a visitor who only reads, and logs it. */
async function refuse(visit: PortalVisit, path: string): Promise<void> {
  const { site, visitor, words, root } = visit;
  const isReading = visitor.session.maker?.isReadOnly === true;
  const reason = isReading ? 'the session only reads' : `the role ${visitor.rights} may not`;
  const now = site.deps.systemNow();
  await inTransaction(site.deps.em, (em) =>
    logRefusedInPortal(em, visitor, { operation: `portal:${path}`, reason }, now),
  );
  const onward = html`<p class="actions">${linkButton(words.toHome, root)}</p>`;
  tellGuest(visit, { title: words.refusedTitle, why: words.refusedWhy, status: 403, onward });
}

/** The visit of whoever is signed in in this browser; null: nobody is. */
export async function visitOf(guest: PortalGuest): Promise<PortalVisit | null> {
  const { site, account, em } = guest;
  const cookie = sessionOf(guest);
  const systemNow = site.deps.systemNow();
  const visitor = cookie === null ? null : await portalVisitor(em, { accountId: account.id, cookie }, systemNow);
  return visitor && readVisit(guest, { em, visitor, systemNow });
}

async function readVisit(
  guest: PortalGuest,
  { em, visitor, systemNow }: { em: EntityManager; visitor: PortalVisit['visitor']; systemNow: Date },
): Promise<PortalVisit | null> {
  const { account } = guest;
  const { customerId: id, email } = visitor.session;
  const key = { accountId: account.id, id };
  const customer = await em.findOne(Customer, key, { populate: ['testClock', 'defaultSource'] });
  if (!customer || customer.anonymizedAt || customer.mergedInto) return null;
  const currency = customer.currency ?? account.currency;
  const head = await sellerHead(em, { account, customer }, { currency, timeZone: account.timeZone });
  const others = email === null ? [] : await holdersOf(em, { accountId: account.id, email });
  const now = customer.testClock?.frozenAt ?? systemNow;
  const words = portalWordsOf(head.language);
  return { ...guest, head, words, visitor, customer, now, currency, hasOthers: others.length > 1, places };
}

import { Refusal } from '../../../billing/refusal.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { deleteSource, updateSource } from '../../../commands/charges/paymentSources.ts';
import { logAct } from '../../../commands/kernel/auditLog.ts';
import { systemCallerOf } from '../../../commands/kernel/caller.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { canWrite, partyInPortal } from '../../../commands/portal/sessions.ts';
import { ownSource, ownSources, personalSources } from '../../../commands/portal/sources.ts';
import type { PaymentSource } from '../../../db/schema/customer.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { portalWordsOf } from '../../../words/portal/words.ts';
import { fill } from '../../../words/text.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { button, confirmed, form, hidden, linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { badge } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { makeSourceToken, takeAmounts, takeSource } from '../managing/addSource.ts';
import { hostOf } from '../managing/frame.ts';
import { showOutcome, showSourcePage } from '../managing/showSource.ts';
import type { SourceVisit } from '../managing/visit.ts';
import type { Form } from '../people/site.ts';
import { formatsIn } from './formats.ts';
import { answerVisit, framedIn, problemOf } from './frame.ts';
import { sourceName } from './pay/review.ts';
import type { Place, PortalVisit, Rest } from './place.ts';
import { mayPay } from './rights.ts';
import { formFields, NothingThere } from './site.ts';

const KEY = /^[0-9a-f-]{36}$/;

/** The visit as the pages that add a source know it. They stand in the portal's frame, and forms carry its token. */
function adding(visit: PortalVisit, key: string | null): SourceVisit {
  const { ctx, site, em, account, customer, head, currency, root, visitor } = visit;
  const { email } = visitor.session;
  const path = `${root}/sources/add`;
  const token = `portal ${account.id} ${customer.id}`;
  const address = {
    kind: 'sources',
    accountId: account.id,
    id: customer.id,
    token,
    path,
    key,
    makesTokens: false,
  } as const;
  const host = {
    ...hostOf(account, head),
    fields: formFields(visit),
    around: (page: { title: string; main: Html }) => framedIn(visit, { path: 'sources', ...page }),
  };
  const by = { page: 'portal' as const, email, makeDefault: visitor.rights === 'manage' };
  return {
    ctx,
    deps: { ...site.deps, proxies: site.proxies, limit: site.limit },
    em,
    address,
    account,
    customer,
    host,
    currency,
    by,
  };
}

async function show(visit: PortalVisit, [part, key, ...more]: Rest): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (part === undefined) return list(visit, null);
  if (part !== 'add' || !canWrite(visit.visitor, 'pay')) throw new NothingThere();
  if (key === undefined) return showSourcePage(adding(visit, null));
  if (!KEY.test(key) || !(await showOutcome(adding(visit, key), key))) throw new NothingThere();
}

async function list(visit: PortalVisit, problem: string | null): Promise<void> {
  const { site, words, root, visitor } = visit;
  const sources = await ownSources(site.deps.em.fork(), visitor);
  const isWriting = canWrite(visitor, 'pay');
  const personal = await personalSources(site.deps.em.fork(), visitor);
  const items = sources.map((source) => sourceRow(visit, source, { isWriting, isPersonal: personal.has(source.id) }));
  const add = isWriting ? html`<p class="actions">${linkButton(words.addSource, `${root}/sources/add`)}</p>` : null;
  const main = html`<h1>${words.sources}</h1>
${problemOf(problem)}
${items.length === 0 ? html`<p class="lead">${words.noSources}</p>` : html`<ul class="entries">${items}</ul>`}
${add}`;
  answerVisit(visit, { path: 'sources', title: words.sources, main, status: problem === null ? 200 : 400 });
}

function sourceRow(
  visit: PortalVisit,
  source: PaymentSource,
  { isWriting, isPersonal }: { isWriting: boolean; isPersonal: boolean },
): Html {
  const { words, root, customer, visitor, now } = visit;
  const isDefault = customer.defaultSource?.id === source.id;
  const { expMonth: month, expYear: year } = source;
  const ends = month && year ? { month, year } : null;
  const isExpired = ends !== null && now.getTime() >= Date.UTC(ends.year, ends.month);
  const name = sourceName(visit, source);
  const through =
    ends === null ? null : fill(words.validThrough, { month: formatsIn(visit, visit.currency).month(ends) });
  const broken = source.failureReason === 'not_verified' ? words.confirmSource : words.sourceGone;
  const state = isExpired ? words.expired : source.chargeable ? through : broken;
  const choose = (action: string, label: string, look: 'plain' | 'danger') =>
    form(
      `${root}/sources`,
      html`${formFields(visit)}${hidden('source', String(source.id))}${hidden('action', action)}${button(label, look)}`,
    );
  const makeDefault =
    !isDefault && !isPersonal && source.chargeable && canWrite(visitor, 'manage')
      ? choose('default', words.makeDefault, 'plain')
      : null;
  const remove = confirmed(
    words.remove,
    printed(fill(words.removeSure, { method: name })),
    choose('remove', words.remove, 'danger'),
  );
  const actions = isWriting ? html`<div class="actions">${makeDefault}${remove}</div>` : null;
  return html`<li><div class="named"><h2>${printed(name)}</h2>${isDefault ? badge(words.defaultSource) : null}</div>
${state && html`<p class="quiet">${printed(state)}</p>`}${actions}</li>`;
}

async function take(visit: PortalVisit, [part, key, ...more]: Rest, sent: Form): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (part === undefined) return change(visit, sent);
  if (part !== 'add') throw new NothingThere();
  const form = new URLSearchParams({ ...sent });
  if (key === undefined) return takeSource(adding(visit, null), form);
  if (!KEY.test(key) || !(await takeAmounts(adding(visit, key), key, form))) throw new NothingThere();
}

/** Makes a source the default one, or removes it. */
async function change(visit: PortalVisit, { source: named = '', action }: Form): Promise<void> {
  const { site, account, visitor, words, ctx, root, customer } = visit;
  const { deps } = site;
  const caller = systemCallerOf(account);
  const id = /^\d{1,10}$/.test(named) ? Number(named) : 0;
  const isRemoved = action === 'remove';
  if (!isRemoved && (action !== 'default' || !canWrite(visitor, 'manage'))) throw new NothingThere();
  const now = deps.systemNow();
  try {
    const attempt = await inTransaction(deps.em, async (em) => {
      const { type } = await ownSource(em, visitor, id);
      if (!isRemoved && (await personalSources(em, visitor)).has(id)) throw new NothingThere();
      const key = { caller, customerId: customer.id, id, type };
      const operation = isRemoved ? 'removeSourceInPortal' : 'makeSourceDefaultInPortal';
      logAct(
        em,
        { accountId: account.id, by: partyInPortal(visitor), kind: 'change', operation, object: { type, id } },
        now,
      );
      if (isRemoved) return deleteSource(em, { ...key, lookUpDelay: deps.lookUpDelay }, now);
      await updateSource(em, { ...key, makeDefault: true }, now);
      return null;
    });
    deps.poke();
    if (attempt) await removeAtGateway(visit, { accountId: account.id, id: attempt.id });
  } catch (error) {
    if (error instanceof Missing) return list(visit, words.sourceGone);
    if (!(error instanceof Refusal)) throw error;
    return list(visit, error.code === 'busy' ? words.sourceBusy : words.sourceGone);
  }
  seeOther(ctx, `${root}/sources`);
}

async function removeAtGateway({ site: { deps } }: PortalVisit, key: { accountId: number; id: number }): Promise<void> {
  try {
    await withoutPlace(() => runAttempt(deps, key));
  } catch (error) {
    deps.log.error(
      { err: error, account: key.accountId, attempt: key.id },
      'removing a payment source was interrupted',
    );
  }
  deps.poke();
}

/** The stored payment sources: a contact sees and removes those that it added itself. */
export const sourcesPlace: Place = {
  path: 'sources',
  name: (language) => portalWordsOf(language).sources,
  isOpen: mayPay,
  show,
  take: {
    needs: 'pay',
    form: take,
    tokens: async (visit) => {
      await makeSourceToken(adding(visit, null));
    },
  },
};

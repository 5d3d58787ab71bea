import { hasVisible } from '../../../../billing/look/visibleText.ts';
import { isFresh } from '../../../../billing/people/proofs.ts';
import { Refusal } from '../../../../billing/refusal.ts';
import {
  createOauthApplication,
  deleteOauthApplication,
  rotateOauthSecret,
} from '../../../../commands/accounts/oauthApplications.ts';
import { logAct, partyOf } from '../../../../commands/kernel/auditLog.ts';
import { type Caller, requirePermission } from '../../../../commands/kernel/caller.ts';
import { Missing } from '../../../../commands/kernel/missing.ts';
import type { EntityManager } from '../../../../db/orm.ts';
import { OauthApplication } from '../../../../db/schema/oauth.ts';
import { withAccount } from '../../../../db/tenant.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { seeOther } from '../../kit/posted.ts';
import { type Form, HOME, readForm, signInPath } from '../../people/site.ts';
import type { MemberHandler, MemberRequest, PageContext, PageHandler, Site } from '../place.ts';
import { forMembers } from '../session.ts';
import { type ApplicationsShown, applicationsPage } from './applicationsPage.ts';
import { showPage } from './layout.ts';

const MOST_NAME_CHARACTERS = 255;

export const showApplications = forBusiness((site, ctx, request) => show(site, ctx, request, { status: 200 }));

/** Registers an application. Only this response shows its secret. */
export const takeApplication = forBusiness(async (site, ctx, request) => {
  const form = await readForm(site, ctx);
  writerOf(request);
  if (!isFresh(request.session.provenAt, site.storing.systemNow())) return seeOther(ctx, signInPath(ctx.path));
  const { name, redirectUris, confidential } = read(form);
  try {
    if (!hasVisible(name)) throw new Refusal('parameter_missing', 'Name missing', 'name');
    if (name.length > MOST_NAME_CHARACTERS)
      throw new Refusal('parameter_invalid', 'Name may have at most 255 characters', 'name');
    const { application, secret } = await logged(site, request, 'createOauthApplication', (em, caller, now) =>
      createOauthApplication(em, { caller, name, redirectUris, confidential }, now),
    );
    await show(site, ctx, request, { status: 201, made: { clientId: application.clientId, secret } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await show(site, ctx, request, { status: 400, problem: error.message, form });
  }
});

/** Actions on one application: `/applications/:id/delete` or `/rotate_secret`. */
export const changeApplication = forBusiness(async (site, ctx, request) => {
  const [id = '', verb] = request.rest;
  await readForm(site, ctx);
  writerOf(request);
  if (!isFresh(request.session.provenAt, site.storing.systemNow())) return seeOther(ctx, signInPath(HOME));
  const key = { id: /^\d{1,9}$/.test(id) ? Number(id) : 0 };
  try {
    if (verb === 'rotate_secret') {
      const { application, secret } = await logged(site, request, 'rotateOauthApplicationSecret', (em, caller, now) =>
        rotateOauthSecret(em, { ...key, caller }, now),
      );
      return await show(site, ctx, request, { status: 200, made: { clientId: application.clientId, secret } });
    }
    if (verb === 'delete')
      await logged(site, request, 'deleteOauthApplication', (em, caller) =>
        deleteOauthApplication(em, { ...key, caller }),
      );
  } catch (error) {
    if (!(error instanceof Missing || error instanceof Refusal)) throw error;
  }
  seeOther(ctx, `${site.place.prefix}/oauth/applications?account=${request.membership.accountId}`);
});

/** Runs a command of the member, and logs it in the same transaction under the name that the operation has in the API. */
function logged<Result>(
  site: Site,
  request: MemberRequest,
  operation: string,
  command: (em: EntityManager, caller: Caller, now: Date) => Promise<Result>,
): Promise<Result> {
  const caller = writerOf(request);
  const now = site.storing.systemNow();
  return inTransaction(site.deps.em, async (em) => {
    const result = await command(em, caller, now);
    const by = partyOf(caller.credential, request.member.memberId);
    const kind = operation === 'deleteOauthApplication' ? 'change' : 'secret';
    logAct(em, { accountId: caller.account.id, by, kind, operation }, now);
    return result;
  });
}

/** A page of one account: from here on the database shows only the rows of that account. */
function forBusiness(handler: MemberHandler): PageHandler {
  return forMembers((site, ctx, of) => withAccount(of.member.account.id, () => handler(site, ctx, of)));
}

async function show(
  site: Site,
  ctx: PageContext,
  { member, membership }: MemberRequest,
  shown: Omit<ApplicationsShown, 'applications' | 'member' | 'accountId'>,
): Promise<void> {
  requirePermission(membership, 'developers.read', 'OAuth applications');
  const where = { accountId: member.account.id };
  const applications = await site.storing.em().find(OauthApplication, where, { orderBy: { id: 'asc' }, limit: 50 });
  showPage(
    ctx,
    site.place,
    applicationsPage(site, ctx, { ...shown, member, accountId: membership.accountId, applications }),
  );
}

function read({ name = '', redirect_uris = '', type }: Form) {
  const redirectUris = redirect_uris.split(/\s+/).filter((uri) => uri !== '');
  return { name: name.trim(), redirectUris, confidential: type !== 'public' };
}

/** The member as caller of a command that changes applications. Refuses one whose role may not. */
function writerOf({ member, membership }: MemberRequest): Caller {
  const { permissions, role, isLimited } = membership;
  requirePermission({ permissions }, 'developers.write', 'OAuth applications');
  const { account, memberId, email } = member;
  const acting = { id: memberId, email, role, isLimited };
  const credential = { kind: 'member', id: memberId, name: email } as const;
  return { account, userId: memberId, credential, member: acting, permissions };
}

import { hasVisible } from '../../../../billing/look/visibleText.ts';
import { permissions } from '../../../../billing/people/permissions.ts';
import { Refusal } from '../../../../billing/refusal.ts';
import {
  createOauthApplication,
  deleteOauthApplication,
  rotateOauthSecret,
} from '../../../../commands/accounts/oauthApplications.ts';
import { API_USER, type Caller } from '../../../../commands/kernel/caller.ts';
import { Missing } from '../../../../commands/kernel/missing.ts';
import type { SignedIn } from '../../../../db/queries/accounts/members.ts';
import { OauthApplication } from '../../../../db/schema/oauth.ts';
import { withAccount } from '../../../../db/tenant.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { seeOther } from '../../kit/posted.ts';
import { type Form, readForm } from '../forms.ts';
import type { MemberHandler, PageContext, PageHandler, Site } from '../place.ts';
import { forMembers } from '../session.ts';
import { type ApplicationsShown, applicationsPage } from './applicationsPage.ts';
import { showPage } from './layout.ts';

const MOST_NAME_CHARACTERS = 255;

export const showApplications = forBusiness((site, ctx, { member }) => show(site, ctx, { member, status: 200 }));

/** Registers an application. Only this response shows its secret. */
export const takeApplication = forBusiness(async (site, ctx, { member }) => {
  const form = await readForm(site, ctx);
  const { name, redirectUris, confidential } = read(form);
  try {
    if (!hasVisible(name)) throw new Refusal('parameter_missing', 'Name missing', 'name');
    if (name.length > MOST_NAME_CHARACTERS)
      throw new Refusal('parameter_invalid', 'Name may have at most 255 characters', 'name');
    const { application, secret } = await inTransaction(site.deps.em, (em) =>
      createOauthApplication(
        em,
        { caller: callerOf(member), name, redirectUris, confidential },
        site.storing.systemNow(),
      ),
    );
    await show(site, ctx, { member, status: 201, made: { clientId: application.clientId, secret } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await show(site, ctx, { member, status: 400, problem: error.message, form });
  }
});

/** Actions on one application: `/applications/:id/delete` or `/rotate_secret`. */
export const changeApplication = forBusiness(async (site, ctx, { member, rest: [id = '', verb] }) => {
  await readForm(site, ctx);
  const key = { caller: callerOf(member), id: /^\d{1,9}$/.test(id) ? Number(id) : 0 };
  try {
    if (verb === 'rotate_secret') {
      const { application, secret } = await inTransaction(site.deps.em, (em) =>
        rotateOauthSecret(em, key, site.storing.systemNow()),
      );
      return await show(site, ctx, { member, status: 200, made: { clientId: application.clientId, secret } });
    }
    if (verb === 'delete') await inTransaction(site.deps.em, (em) => deleteOauthApplication(em, key));
  } catch (error) {
    if (!(error instanceof Missing || error instanceof Refusal)) throw error;
  }
  seeOther(ctx, `${site.place.prefix}/oauth/applications`);
});

/** A page of one account: from here on the database shows only the rows of that account. */
function forBusiness(handler: MemberHandler): PageHandler {
  return forMembers((site, ctx, of) => withAccount(of.member.account.id, () => handler(site, ctx, of)));
}

async function show(site: Site, ctx: PageContext, shown: Omit<ApplicationsShown, 'applications'>): Promise<void> {
  const where = { accountId: shown.member.account.id };
  const applications = await site.storing.em().find(OauthApplication, where, { orderBy: { id: 'asc' }, limit: 50 });
  showPage(ctx, site.place, applicationsPage(site, ctx, { ...shown, applications }));
}

function read({ name = '', redirect_uris = '', type }: Form) {
  const redirectUris = redirect_uris.split(/\s+/).filter((uri) => uri !== '');
  return { name: name.trim(), redirectUris, confidential: type !== 'public' };
}

function callerOf({ account }: SignedIn): Caller {
  return { account, userId: API_USER, credential: null, permissions };
}

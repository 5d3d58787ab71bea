import { PermissionMissing } from '../../../billing/refusal.ts';
import { noteSeen } from '../../../commands/people/sessions.ts';
import { findMember } from '../../../db/queries/accounts/members.ts';
import { seeOther } from '../kit/posted.ts';
import { logRefusedOnPage } from '../people/refused.ts';
import { HOME, signedIn, signInPath, usableMemberships } from '../people/site.ts';
import type { MemberHandler, PageHandler } from './place.ts';

/**
 * A page for a member of the account that the address names: `?account=`, the id of the live account. Without it, the person's first
 * account. Others are sent to sign in, and then come back.
 */
export function forMembers(handler: MemberHandler): PageHandler {
  return async (site, ctx, rest) => {
    const session = await signedIn(site, ctx);
    if (!session) return seeOther(ctx, signInPath(ctx.method === 'POST' ? HOME : ctx.url));
    const memberships = await usableMemberships(site.storing.em(), session);
    const { account: wanted } = ctx.query;
    const chosen =
      wanted === undefined ? memberships[0] : memberships.find(({ accountId }) => String(accountId) === wanted);
    if (!chosen) return seeOther(ctx, HOME);
    const { environment } = site.place;
    const member = await findMember(site.storing.em(), { memberId: chosen.memberId, environment });
    if (!member) return seeOther(ctx, HOME);
    await noteSeen(site.storing.em(), chosen, site.storing.systemNow());
    const work = handler(site, ctx, { session, member, membership: chosen, memberships, rest });
    await work.catch(async (error: unknown) => {
      const { memberId, email } = member;
      const by = { actor: 'member', actorId: memberId, actorName: email, memberId } as const;
      if (error instanceof PermissionMissing)
        await logRefusedOnPage(site.deps, { accountId: member.account.id, by, reason: error.message });
      throw error;
    });
  };
}

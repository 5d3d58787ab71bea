import { databaseUrls } from '../adapters/databaseLogins.ts';
import { visibleLine } from '../billing/look/visibleText.ts';
import { Refusal } from '../billing/refusal.ts';
import { addressIn } from '../commands/accounts/members.ts';
import { type Act, logAct } from '../commands/kernel/auditLog.ts';
import { systemCaller } from '../commands/kernel/caller.ts';
import { Missing } from '../commands/kernel/missing.ts';
import { resetFactorsOf } from '../commands/people/factors.ts';
import { inviteMember } from '../commands/people/invitations.ts';
import { changeMember, type MemberChange } from '../commands/people/members.ts';
import { openDatabase } from '../db/database.ts';
import type { EntityManager } from '../db/orm.ts';
import { Account, liveIdOf } from '../db/schema/account.ts';
import { Member } from '../db/schema/member.ts';
import { asSystem, withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { presentMember } from '../present/accounts/people.ts';
import { columns } from '../present/explanations/words.ts';
import { setOrigin } from '../present/kernel/links.ts';
import type { Config } from './config.ts';

export const MEMBERS_HELP = `Usage: perennial members <account> [<what> …]

Lists the members of an account, by its id; live and sandbox have the same ones. Or changes them:

  invite <email> <role> [--own-customers]   mail an invitation and print its link; --own-customers: sees only the customers it owns
  role <email> <role>                       give another role
  reset-factor <email>                      remove authenticator app, passkeys and recovery codes, and end all sessions
  deactivate <email>                        end the access; the last active administrator stays
  activate <email>                          give back the access of a deactivated member`;

interface Asked {
  accountId: number;
  email: string;
  role: string;
  isLimited: boolean;
}

/** The verbs, each with its number of arguments. They return the line to print. */
const verbs: Readonly<Record<string, { takes: number; run(em: EntityManager, asked: Asked): Promise<string> }>> = {
  invite: {
    takes: 2,
    run: async (em, { accountId, ...asked }) => {
      const invited = await inTransaction(em, async (inner) => {
        const caller = await systemCaller(inner, accountId);
        const made = await inviteMember(inner, { caller, name: null, ...asked }, new Date());
        await inner.write(); // assigns the id
        logOperator(inner, { accountId: liveIdOf(caller.account), id: made.member.id }, 'inviteMember', {
          before: {},
          after: presentMember(made.member),
        });
        return made;
      });
      return `${invited.member.email} is invited, by mail and by this link: ${invited.url}`;
    },
  },
  role: {
    takes: 2,
    run: async (em, asked) => {
      const { email, role } = await change(em, asked, { role: asked.role });
      return `${email} has the role ${role}`;
    },
  },
  deactivate: {
    takes: 1,
    run: async (em, asked) => `${(await change(em, asked, { status: 'deactivated' })).email} is deactivated`,
  },
  activate: {
    takes: 1,
    run: async (em, asked) => `${(await change(em, asked, { status: 'active' })).email} is active`,
  },
  'reset-factor': {
    takes: 1,
    run: async (em, { accountId, email }) => {
      const reset = async (inner: EntityManager) => {
        const account = await inner.findOneOrFail(Account, { id: accountId });
        const of = { accountId: liveIdOf(account), email: addressIn(email) };
        const person = await resetFactorsOf(inner, of, new Date());
        // The factors are the person's, in all its accounts.
        const members = await inner.find(Member, { person, status: { $ne: 'deactivated' } });
        for (const member of members) logOperator(inner, member, 'resetFactors');
        return person;
      };
      const person = await asSystem(() => inTransaction(em, reset));
      return `${person.email} has no second factor any more, and is signed out`;
    },
  },
};

/** `perennial members`. Returns the exit code. */
export async function members(
  config: () => Pick<Config, 'databaseUrl' | 'encryptionKey' | 'publicUrl'>,
  args: readonly string[],
  to: Pick<Console, 'log' | 'error'> = console,
): Promise<number> {
  const [account = '', verb = '', ...rest] = args;
  const isLimited = verb === 'invite' && rest.at(-1) === '--own-customers';
  const values = isLimited ? rest.slice(0, -1) : rest;
  const found = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const isFit = /^\d{1,9}$/.test(account) && (args.length === 1 || values.length === found?.takes);
  if (!isFit) {
    to.log(MEMBERS_HELP);
    return args.some((word) => ['help', '--help', '-h'].includes(word)) ? 0 : 1;
  }
  const { databaseUrl, encryptionKey, publicUrl } = config();
  setOrigin(publicUrl);
  const orm = openDatabase({ urls: databaseUrls(databaseUrl, encryptionKey), poolSize: 1 });
  const [email = '', role = ''] = values;
  const asked = { accountId: Number(account), email, role, isLimited };
  try {
    const lines = await withAccount(asked.accountId, async () =>
      found ? [await found.run(orm.em, asked)] : listed(orm.em.fork(), asked.accountId),
    );
    for (const line of lines) to.log(visibleLine(line));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Missing)) throw error;
    to.error(visibleLine(error.message));
    return 1;
  } finally {
    await orm.close(true);
  }
}

/** Logs an act of the operator about a member, in the transaction of the act. */
function logOperator(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  operation: string,
  change: Act['change'] = null,
): void {
  const object = { type: 'member', id };
  logAct(em, { accountId, by: { actor: 'operator' }, kind: 'change', operation, object, change }, new Date());
}

/** Changes the member with an address. */
function change(em: EntityManager, { accountId, email }: Asked, fields: MemberChange['fields']): Promise<Member> {
  return inTransaction(em, async (inner) => {
    const caller = await systemCaller(inner, accountId);
    const found = await inner.findOne(Member, { accountId: liveIdOf(caller.account), email: addressIn(email) });
    if (!found) throw new Missing('Member', email);
    const before = presentMember(found);
    const member = await changeMember(inner, { caller, id: found.id, fields }, new Date());
    logOperator(inner, member, 'updateMember', { before, after: presentMember(member) });
    return member;
  });
}

async function listed(em: EntityManager, accountId: number): Promise<string[]> {
  const account = await em.findOne(Account, { id: accountId });
  if (!account) throw new Missing('Account', accountId);
  const found = await em.find(Member, { accountId: liveIdOf(account) }, { orderBy: { id: 'asc' } });
  if (found.length === 0) return ['No members'];
  return columns(
    found.map(({ email, role, isLimited, status }) => [email, role, status, isLimited ? 'own customers only' : '']),
  );
}

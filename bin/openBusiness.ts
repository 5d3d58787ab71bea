import { databaseUrls } from '../adapters/databaseLogins.ts';
import { visibleLine } from '../billing/look/visibleText.ts';
import { Refusal } from '../billing/refusal.ts';
import { openAccount } from '../commands/accounts/accounts.ts';
import { logAct } from '../commands/kernel/auditLog.ts';
import { openDatabase } from '../db/database.ts';
import type { EntityManager } from '../db/orm.ts';
import { listedBusinesses } from '../db/queries/accounts/people.ts';
import { inTransaction } from '../db/transaction.ts';
import { columns } from '../present/explanations/words.ts';
import type { Config } from './config.ts';

export const ACCOUNTS_HELP = `Usage: perennial accounts [list | create "<name>" <email>]

Lists the businesses: id of the live and of the sandbox account, name, number of active members, first administrator. Or opens one:

  create "<name>" <email>   open the live and the sandbox account of a business, with its first administrator, and print keys and password

Members of a business: perennial members <account>`;

type Needed = Pick<Config, 'databaseUrl' | 'encryptionKey' | 'publicUrl'>;
type Printer = Pick<Console, 'log' | 'error'>;

/** `perennial accounts`. Returns the exit code. */
export async function accounts(config: () => Needed, args: readonly string[], to: Printer = console): Promise<number> {
  const [verb = 'list', ...rest] = args;
  if (verb === 'create') return openBusiness(config, rest, to);
  if (verb === 'list' && rest.length === 0) return asOperator(config(), to, (em) => listed(em.fork()));
  return explained(ACCOUNTS_HELP, args, to);
}

/**
 * `perennial accounts create`, and `perennial open`: creates the live and the sandbox account of a business, with its first member. Prints the
 * keys and the password, because the database stores only hashes. `start` creates the first business itself.
 */
export async function openBusiness(
  config: () => Needed,
  args: readonly string[],
  to: Printer = console,
): Promise<number> {
  const [name, memberEmail, ...more] = args;
  if (!name || !memberEmail || more.length > 0) return explained(ACCOUNTS_HELP, args, to);
  const known = config();
  return asOperator(known, to, (em) => opened(em, { name, memberEmail, publicUrl: known.publicUrl }));
}

async function opened(
  to: EntityManager,
  { name, memberEmail, publicUrl }: { name: string; memberEmail: string; publicUrl: string },
): Promise<string[]> {
  const made = await inTransaction(to, async (em) => {
    const now = new Date();
    const open = await openAccount(em, { name, memberEmail }, now);
    const accountId = open.live.id;
    const object = { type: 'account', id: accountId };
    logAct(em, { accountId, by: { actor: 'operator' }, kind: 'change', operation: 'openAccount', object }, now);
    return open;
  });
  const { live, sandbox, liveKey, sandboxKey, memberPassword } = made;
  return [
    `Live      ${publicUrl}/api           account ${live.id}   key ${liveKey}`,
    `Sandbox   ${publicUrl}/sandbox/api   account ${sandbox.id}   key ${sandboxKey}`,
    memberPassword === null
      ? `Sign-in   ${memberEmail}   with the password that it has here already`
      : `Sign-in   ${memberEmail}   password ${memberPassword}`,
    `Store ${memberPassword === null ? 'the keys' : 'the keys and the password'} now: they are shown only once.`,
  ];
}

async function listed(em: EntityManager): Promise<string[]> {
  const found = await listedBusinesses(em);
  if (found.length === 0) return ['No accounts'];
  const rows = found.map(({ id, twinId, name, members, administrator }) => [
    String(id),
    String(twinId ?? ''),
    name,
    `${members} ${members === 1 ? 'member' : 'members'}`,
    administrator ?? '',
  ]);
  return columns([['live', 'sandbox', 'name', 'active', 'first administrator'], ...rows]);
}

/** Prints the help. Returns 0 if it was asked for, and otherwise 1. */
function explained(help: string, args: readonly string[], to: Printer): number {
  to.log(help);
  return args.some((word) => ['help', '--help', '-h'].includes(word)) ? 0 : 1;
}

/** Works over all accounts, and prints the lines, or why it is refused. */
async function asOperator(
  { databaseUrl, encryptionKey }: Needed,
  to: Printer,
  work: (em: EntityManager) => Promise<string[]>,
): Promise<number> {
  const orm = openDatabase({ urls: databaseUrls(databaseUrl, encryptionKey), poolSize: 1, tenant: 'system' });
  try {
    for (const line of await work(orm.em)) to.log(visibleLine(line));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    to.error(visibleLine(error.message));
    return 1;
  } finally {
    await orm.close(true);
  }
}

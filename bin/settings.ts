import type { DatabaseUrls } from '../adapters/databaseLogins.ts';
import type { Presented } from '../billing/json.ts';
import { Refusal } from '../billing/refusal.ts';
import { isSetting, type SettingsHolder, setting, settingNames, settingsTable } from '../billing/settings.ts';
import { changeSettings } from '../commands/accounts/accounts.ts';
import { logAct } from '../commands/kernel/auditLog.ts';
import { Missing } from '../commands/kernel/missing.ts';
import { openDatabase } from '../db/database.ts';
import { lockAccount } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import { withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { columns } from '../present/explanations/words.ts';

export const SETTINGS_HELP = `Usage: perennial settings <account> [<name>=<value> …]

Shows the settings of an account, by its id. Live and sandbox are separate accounts. With <name>=<value>, changes settings first, even those
that no key or token may change: rate_limit=500. Lists are JSON: autopay_retry_days=[3,5,7]. An empty value restores the default.`;

interface Asked {
  accountId: number;
  values: Record<string, unknown>;
}

/** Prints the settings of an account, after changing some of them if asked. Returns the exit code. */
export async function printSettings(
  urls: () => DatabaseUrls,
  args: readonly string[],
  to: Pick<Console, 'log' | 'error'> = console,
): Promise<number> {
  const asked = askedIn(args);
  if (!asked) {
    to.log(SETTINGS_HELP);
    return args.some((word) => ['help', '--help', '-h'].includes(word)) ? 0 : 1;
  }
  const orm = openDatabase({ urls: urls(), poolSize: 1 });
  try {
    const change = () => inTransaction(orm.em, (em) => changed(em, asked, new Date()));
    to.log(shown(await withAccount(asked.accountId, change)).join('\n'));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Missing)) throw error;
    to.error(error.message);
    return 1;
  } finally {
    await orm.close(true);
  }
}

/** Changes the settings, which the audit log of the account shows with the values from before. */
async function changed(em: EntityManager, asked: Asked, now: Date): Promise<SettingsHolder> {
  const { accountId, values } = asked;
  const known = await lockAccount(em, accountId, 'no key update');
  const before = known ? valuesOf(known) : {};
  const account = await changeSettings(em, asked, now);
  if (Object.keys(values).length === 0) return account;
  const object = { type: 'account', id: accountId };
  const act = { accountId, by: { actor: 'operator' }, kind: 'change', operation: 'updateAccount', object } as const;
  logAct(em, { ...act, change: { before, after: valuesOf(account) } }, now);
  return account;
}

/** All settings of an account, with their defaults. */
function valuesOf(account: SettingsHolder): Presented {
  return JSON.parse(JSON.stringify(Object.fromEntries(settingNames.map((name) => [name, setting(account, name)]))));
}

/** Parses the arguments. Null if they do not match the help. */
function askedIn([account = '', ...changes]: readonly string[]): Asked | null {
  if (!/^\d{1,9}$/.test(account)) return null;
  const values = changes.map((change): [string, unknown] | null => {
    const at = change.indexOf('=');
    return at > 0 && isSetting(change.slice(0, at)) ? [change.slice(0, at), parsed(change.slice(at + 1))] : null;
  });
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? { accountId: Number(account), values: Object.fromEntries(known) } : null;
}

/** Parses a value as JSON. Text that is not JSON is the value itself; an empty text is null. */
function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shown(account: SettingsHolder): string[] {
  return columns(
    settingNames.map((name) => {
      const isDefault = account.settings[name] === undefined;
      const { meaning, bounds } = settingsTable[name];
      return [name, JSON.stringify(setting(account, name)), `${isDefault ? 'default; ' : ''}${meaning}; ${bounds}`];
    }),
  );
}

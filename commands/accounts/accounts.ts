import type { Environment } from '../../billing/environments.ts';
import { hasVisible } from '../../billing/look/visibleText.ts';
import { addressKey } from '../../billing/mail/mailEvents.ts';
import { checkBankDetails, checkPaymentReference } from '../../billing/payments/bankDetails.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Settings, setting, settingNames, settingsTable } from '../../billing/settings.ts';
import type { PortalChanges } from '../../billing/subscriptions/selfService.ts';
import { isZone } from '../../billing/time/calendar.ts';
import { lockAccount } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { closeProblemsOfFormer } from '../../db/queries/bounces/bounces.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { Account } from '../../db/schema/account.ts';
import { Numbering } from '../../db/schema/numbering.ts';
import { type Caller, CURRENT_VERSION, systemCallerOf } from '../kernel/caller.ts';
import { assignChanges, differs } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { addressHashOf } from '../kernel/secrets.ts';
import { createApiKey } from './apiKeys.ts';
import { type BooksChange, changeBooks } from './books.ts';
import { digestFactsOf, planChangedDigest } from './digestPlanning.ts';
import { type ChosenLogo, storeLogo } from './logos.ts';
import { createMember } from './members.ts';
import { changeNumbering, type NumberingChange, newSeries, seriesOf } from './numberSeries.ts';
import { checkOffered } from './portalChanges.ts';
import { planChangedStatements, type StatementFacts, statementFactsOf } from './statementPlanning.ts';

export interface NewAccount {
  name: string;
  email?: string | null;
  /** Default usd. */
  currency?: string;
  /** IANA name; default UTC. */
  timeZone?: string;
  country?: string | null;
  /** Email address of the first member, who gets a generated password; absent: no member is created. */
  memberEmail?: string;
}

/** The accounts of a business. */
export interface AccountPair {
  live: Account;
  sandbox: Account;
}

export interface OpenedAccount extends AccountPair {
  liveKey: string;
  sandboxKey: string;
  /** Password of the first member; null: none was created. */
  memberPassword: string | null;
}

/**
 * Creates a business: a live account and its sandbox twin, each with its number series and its first key. Returns keys and password in
 * plain text; the database stores only their hashes. Refuses an unknown time zone and a name without a visible character.
 */
export async function openAccount(em: EntityManager, input: NewAccount, systemNow: Date): Promise<OpenedAccount> {
  const { live, sandbox } = await openPair(em, input, systemNow);
  const keys: string[] = [];
  for (const account of [live, sandbox]) {
    const first = { account, name: 'First key', scope: 'read_write' as const, expiresAt: null };
    keys.push((await createApiKey(em, first, systemNow)).key);
  }
  const first = input.memberEmail ? { liveAccountId: live.id, email: input.memberEmail } : null;
  const made = first ? await createMember(em, first, systemNow) : null;
  await em.write();
  const [liveKey = '', sandboxKey = ''] = keys;
  return { live, sandbox, liveKey, sandboxKey, memberPassword: made?.password ?? null };
}

/** Creates a live account and its sandbox twin, each with its number series, without keys and members. Refuses what `openAccount` refuses. */
export async function openPair(em: EntityManager, input: NewAccount, systemNow: Date): Promise<AccountPair> {
  checkTimeZone(input.timeZone ?? 'UTC');
  if (!hasVisible(input.name)) throw new Refusal('parameter_invalid', 'Name must have a visible character', 'name');
  const live = newAccount(em, input, { environment: 'live', systemNow });
  const sandbox = newAccount(em, input, { environment: 'sandbox', systemNow });
  await em.write(); // assigns the ids
  live.twinId = sandbox.id;
  sandbox.twinId = live.id;
  for (const account of [live, sandbox]) for (const series of newSeries(account.id)) em.create(Numbering, series);
  return { live, sandbox };
}

function newAccount(em: EntityManager, input: NewAccount, as: { environment: Environment; systemNow: Date }): Account {
  return em.create(Account, {
    environment: as.environment,
    name: input.name,
    email: input.email ?? null,
    country: input.country ?? null,
    language: 'en',
    currency: input.currency ?? 'usd',
    timeZone: input.timeZone ?? 'UTC',
    apiVersion: CURRENT_VERSION,
    settings: {},
    createdAt: as.systemNow,
    updatedAt: as.systemNow,
  });
}

type Seller = Pick<
  Account,
  | 'name'
  | 'email'
  | 'address1'
  | 'address2'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'country'
  | 'taxId'
  | 'taxIdKind'
  | 'taxIdCountry'
  | 'replyTo'
  | 'bankDetails'
  | 'paymentReference'
  | 'footer'
  | 'smallBusinessNote'
  | 'exemptionNote'
  | 'accentColor'
  | 'language'
  | 'currency'
  | 'timeZone'
  | 'apiVersion'
>;

export interface AccountChange {
  caller: Caller;
  seller: { [Name in keyof Seller]?: Seller[Name] | undefined };
  /** Requested values, not checked yet; null restores the default. */
  settings: { [Name in keyof Settings]?: unknown };
  numbering?: NumberingChange | undefined;
  books?: BooksChange | undefined;
  /** Null: customers change nothing themselves. */
  portalChanges?: Partial<PortalChanges> | null | undefined;
  logo?: ChosenLogo | null | undefined;
}

export interface ChangedAccount {
  account: Account;
  series: Plain<Numbering>[];
}

/**
 * Changes the seller's details, settings, logo and number series by request. Refuses a value outside a setting's bounds and a change of a
 * protected setting, naming the setting. Refuses an unknown time zone, an unfit logo, bank details without a number or twice for one
 * currency, an unknown placeholder of the payment reference, and a change that `changeNumbering` or `changeBooks` refuses.
 */
export async function updateAccount(
  em: EntityManager,
  change: AccountChange,
  systemNow: Date,
): Promise<ChangedAccount> {
  const { seller, caller } = change;
  const account = await lockToChange(em, caller.account.id);
  const before = plannedFactsOf(account);
  if (seller.timeZone) checkTimeZone(seller.timeZone);
  if (seller.bankDetails) checkBankDetails(seller.bankDetails);
  if (seller.paymentReference) checkPaymentReference(seller.paymentReference);
  const settings: Record<string, unknown> = { ...account.settings };
  for (const name of settingNames) {
    const value = change.settings[name];
    if (settingsTable[name].isProtected && isOther(account, name, value)) throw protectedSetting(account, name);
    changeSetting(account, settings, [name, value]);
  }
  const logo = await storeLogo(
    em,
    { accountId: account.id, logoFileId: account.logoFileId },
    { chosen: change.logo, systemNow },
  );
  const { portalChanges } = change;
  if (portalChanges) await checkOffered(em, account.id, { changes: portalChanges });
  if (assignChanges(account, { ...seller, ...logo, settings, portalChanges })) account.updatedAt = systemNow;
  await planAnew(em, { account, caller, before }, systemNow);
  const { numbering, books } = change;
  if (books) await changeBooks(em, { account, caller, books }, systemNow);
  if (numbering) await changeNumbering(em, { accountId: account.id, numbering, now: systemNow });
  await em.write(); // the next query reads the series from the database
  return { account, series: await seriesOf(em, account.id) };
}

/**
 * Changes settings for the operator, including protected ones. Refuses a value outside a setting's bounds, naming the setting. Throws
 * Missing.
 */
export async function changeSettings(
  em: EntityManager,
  { accountId, values }: { accountId: number; values: AccountChange['settings'] },
  systemNow: Date,
): Promise<Account> {
  const account = await lockToChange(em, accountId);
  const settings: Record<string, unknown> = { ...account.settings };
  const before = plannedFactsOf(account);
  for (const name of settingNames) changeSetting(account, settings, [name, values[name]]);
  if (assignChanges(account, { settings })) account.updatedAt = systemNow;
  await planAnew(em, { account, caller: systemCallerOf(account), before }, systemNow);
  return account;
}

async function lockToChange(em: EntityManager, id: number): Promise<Account> {
  const account = await lockAccount(em, id, 'no key update');
  if (!account) throw new Missing('Account', id);
  return account;
}

/** The values of an account that its processes are planned by, and its team as text. */
interface PlannedFacts {
  statements: StatementFacts;
  digest: string;
  team: string;
}

function plannedFactsOf(account: Account): PlannedFacts {
  return {
    statements: statementFactsOf(account),
    digest: digestFactsOf(account),
    team: JSON.stringify(teamOf(account)),
  };
}

const teamOf = (account: Account): string[] => setting(account, 'alert_recipients').map(addressKey);

/** Plans the processes of an account anew whose values have changed, and closes problems about addresses that left its team. */
async function planAnew(
  em: EntityManager,
  { account, caller, before }: { account: Account; caller: Caller; before: PlannedFacts },
  systemNow: Date,
): Promise<void> {
  const now = plannedFactsOf(account);
  await planChangedStatements(em, { account, caller, before: before.statements }, systemNow);
  if (now.digest !== before.digest) await planChangedDigest(em, { account, caller }, systemNow);
  if (now.team === before.team) return;
  const addressHashes = teamOf(account).map((address) => addressHashOf(account.id, address));
  await closeProblemsOfFormer(em, { accountId: account.id, addressHashes }, systemNow);
}

function protectedSetting(account: Account, name: keyof Settings): Refusal {
  const now = JSON.stringify(setting(account, name));
  return new Refusal(
    'permission_missing',
    `${name} is ${now}, and no key or token can change it: ask the operator of this deployment`,
    name,
  );
}

/** Whether a requested value would change the effective one. */
function isOther(account: Account, name: keyof Settings, value: unknown): boolean {
  if (value === undefined) return false;
  const requested = value === null ? settingsTable[name].initial(account) : value;
  return differs({ now: setting(account, name) }, { now: requested });
}

/** Applies one requested value. Does not store a value that equals the effective one, such as a default that a client sends back. */
function changeSetting(
  account: Account,
  settings: Record<string, unknown>,
  [name, value]: [name: keyof Settings, value: unknown],
): void {
  if (value === undefined || !differs({ now: setting(account, name) }, { now: value })) return;
  if (settingsTable[name].isOfBoth && account.environment === 'sandbox' && isOther(account, name, value))
    throw new Refusal('parameter_invalid', `${name} counts for both environments: set it on the live account`, name);
  if (value === null) {
    delete settings[name];
    return;
  }
  const { accepts, bounds, stored } = settingsTable[name];
  if (!accepts(value)) throw new Refusal('parameter_invalid', `${name} must be ${bounds}`, name);
  settings[name] = stored ? stored(value) : value;
}

function checkTimeZone(zone: string): void {
  if (isZone(zone)) return;
  throw new Refusal('parameter_invalid', `Time zone must be an IANA name, such as Europe/Berlin: ${zone}`, 'time_zone');
}

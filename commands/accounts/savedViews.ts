import { PermissionMissing, Refusal } from '../../billing/refusal.ts';
import type { SavedColumn, SavedList, SavedQuery } from '../../billing/savedViews.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { SavedView } from '../../db/schema/savedView.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

/** Views of a member, or of the keys of the account, for one list. */
const MOST_VIEWS = 100;

export interface ViewFields {
  name: string;
  list: SavedList;
  query: SavedQuery;
  columns: SavedColumn[];
  shared: boolean;
}

/** A change of a view. Undefined: kept. */
type ViewChange = { [Name in Exclude<keyof ViewFields, 'list'>]: ViewFields[Name] | undefined };

interface ViewKey {
  caller: Caller;
  id: number;
}

export async function createSavedView(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: Omit<ViewFields, 'shared'> & { shared: boolean | null } },
  systemNow: Date,
): Promise<SavedView> {
  const accountId = caller.account.id;
  const memberId = caller.member?.id ?? null;
  const { list } = fields;
  const shared = fields.shared ?? memberId === null;
  if (!shared && memberId === null)
    throw new Refusal('parameter_invalid', 'A view that a key of the account makes is shared', 'shared');
  await lockCountOf(em, 'saved_view', accountId);
  if ((await em.count(SavedView, { accountId, memberId, list })) >= MOST_VIEWS)
    throw new Refusal('limit_exceeded', `A member has at most ${MOST_VIEWS} views of a list: delete one first`);
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const view = em.create(SavedView, { accountId, ...fields, shared, memberId, ...times });
  await em.write();
  return view;
}

/** Changes a view. Only its member makes it private, because nobody else would see it any more. Throws Missing. */
export async function updateSavedView(
  em: EntityManager,
  { caller, id, change }: ViewKey & { change(view: SavedView): Promise<ViewChange> },
  systemNow: Date,
): Promise<SavedView> {
  const view = await lockView(em, { caller, id });
  const changed = await change(view);
  if (changed.shared === false && view.shared && !isOwn(view, caller))
    throw new Refusal('parameter_invalid', 'Only the member who made a view makes it private', 'shared');
  if (assignChanges(view, changed)) view.updatedAt = systemNow;
  return view;
}

/** Deletes a view. Throws Missing. */
export async function deleteSavedView(em: EntityManager, key: ViewKey, _systemNow: Date): Promise<void> {
  em.remove(await lockView(em, key));
}

/** The view, for those who may change it: who made it, and of a shared one who may change settings. Private ones of others are missing. */
async function lockView(em: EntityManager, { caller, id }: ViewKey): Promise<SavedView> {
  const view = await lockRow(em, SavedView, { accountId: caller.account.id, id });
  if (!view || !(view.shared || isOwn(view, caller))) throw new Missing('Saved view', id);
  if (!isOwn(view, caller) && !caller.permissions.includes('settings.write'))
    throw new PermissionMissing(`Saved view ${id} is changed by who made it, or with the permission settings.write`);
  return view;
}

const isOwn = (view: SavedView, { member }: Caller) => member !== null && member.id === view.memberId;

import { storyOf } from '../../billing/documents/creditNoteStory.ts';
import { isPositive } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { factsOfNotes } from '../../db/queries/credit/noteStories.ts';
import type { Account } from '../../db/schema/account.ts';
import type { ToldStory } from '../../present/printed/noteStory.ts';

/** What became of a credit note until now. Undefined: it is a draft or voided. */
export async function tellNote(em: EntityManager, account: Account, id: number): Promise<ToldStory | undefined> {
  return (await tellNotes(em, account, { ids: [id], until: null })).get(id);
}

/** What became of credit notes until a time, by id. None of drafts and voided ones. One statement. */
export async function tellNotes(
  em: EntityManager,
  account: Account,
  asked: { ids: readonly number[]; until: Date | null },
): Promise<Map<number, ToldStory>> {
  const facts = await factsOfNotes(em, { accountId: account.id, ...asked });
  const pays = setting(account, 'apply_credits_at_issue');
  return new Map(
    [...facts].flatMap(([id, found]) => {
      const story = storyOf(found);
      return story ? [[id, { story, pays: pays && isPositive(story.left) }]] : [];
    }),
  );
}

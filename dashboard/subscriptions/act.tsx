import { useQueryClient } from '@tanstack/react-query';
import type { SubscribingWords } from '../../words/subscribing/wording.ts';
import type { FormField, Section, Values } from '../forms/field.ts';
import type { Row } from '../kinds/kind.ts';
import { ActForm, type Begun } from '../objects/acts.tsx';
import { useFormWords } from '../words.ts';
import { type Asked, carryOut } from './asked.ts';
import { FollowsFrom, followsKey } from './follows.tsx';
import { isOutdated, isRefusal, isStale, SEEN_LASTS, type Seeing, useSeen } from './seen.ts';
import { useSubscribingWords } from './words.ts';

interface Act {
  name: keyof SubscribingWords['acts'];
  begun: Begun;
  isGrave?: boolean;
  /** Its fields, for the subscription as it was when the act was begun. */
  sections?(row: Row): readonly Section[];
  /** What it asks the API for; null: nothing differs yet. */
  ask(values: Values, seeing: Seeing): Asked | null;
}

export const section = (fields: readonly FormField[]): Section => ({ title: null, fields });

/**
 * The dialog of an act on a subscription, with what follows from it. Only the version that is shown is changed, and only what a dry run has
 * shown is sent.
 */
export function SubscriptionAct({ name, begun, isGrave, sections, ask }: Act) {
  const { acts, follows } = useSubscribingWords();
  const { staleTitle } = useFormWords();
  const seeing = useSeen(begun);
  const queries = useQueryClient();
  const { id } = begun;
  if (seeing === null) return null;
  const { first, now, again } = seeing;
  return (
    <ActForm
      words={acts[name]}
      begun={begun}
      about={`subscriptions/${id}/${name}`}
      isGrave={isGrave ?? false}
      sections={sections?.(first.row) ?? []}
      beside={(values) => <FollowsFrom id={id} seeing={seeing} asked={ask(values, seeing)} />}
      save={async ({ writer, values }) => {
        const asked = ask(values, seeing);
        if (asked === null) throw new Error(follows.unchanged);
        if (seeing.isOlderThan(SEEN_LASTS)) {
          await again();
          throw new Error(follows.notYetShown);
        }
        const shown = queries.getQueryState(followsKey(id, now.etag, asked));
        // What the API refuses in the dry run is sent, so that the refusal appears at its field.
        if (shown?.status !== 'success' && !isRefusal(shown?.error)) throw new Error(follows.notYetShown);
        const api = writer([now.etag, asked]).with(now.etag === null ? {} : { ifMatch: now.etag });
        try {
          return await carryOut(api, Number(id), asked);
        } catch (error) {
          if (!isStale(error) && !isOutdated(error, seeing)) throw error;
          await again();
          throw new Error(isStale(error) ? staleTitle : follows.notYetShown);
        }
      }}
    />
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import type { Item } from './items.ts';
import { useWorkWords } from './words.ts';

/** How long somebody must have stopped typing before it is foreseen what follows. */
const AFTER_MILLISECONDS = 300;

/** What follows from an act, in sentences. */
export function Effects({ effects, error }: { effects: readonly string[]; error?: unknown }) {
  const words = useWorkWords();
  return (
    <section className="effects" aria-label={words.follows} aria-live="polite">
      <h3>{words.follows}</h3>
      {error ? (
        <ErrorNote error={error} />
      ) : (
        <ul>
          {effects.map((effect) => (
            <li key={effect} dir="auto">
              {effect}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface Change {
  item: Item;
  /** What is sent for the task. */
  change: Readonly<Record<string, unknown>>;
  /** The promised day, and the invoices for which it is promised; null: nothing is promised. */
  promise: { day: number; invoices: readonly string[] } | null;
}

/** What follows from the end of a call, by a dry run of its task. */
export function EffectsOfCall({ item, change, promise }: Change) {
  const words = useWorkWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const { task, kind } = item;
  const settled = useSettled(change, AFTER_MILLISECONDS);
  const tried = useQuery({
    queryKey: ['task tried', task, settled],
    queryFn: ({ signal }) =>
      session.api.with({ signal }).patch('/tasks/{id}', Object.assign({}, settled), { id: task ?? 0, dry_run: true }),
    enabled: task !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const foreseen = tried.data;
  // A problem waits itself, with a task or without.
  const isEnded = task !== null && (kind !== 'problem' || typeof foreseen?.solved_problem === 'number');
  const effects = [isEnded ? words.leaves : kind === 'failed_charge' ? words.untilNext : words.stays];
  const next = foreseen?.follow_up ?? null;
  if (next !== null) {
    const { name, due_date: due } = next;
    effects.push(
      due === null ? fill(words.followUpOpen, { name }) : fill(words.followUp, { name, day: formats.day(due) }),
    );
  }
  if (promise !== null)
    effects.push(fill(words.quiet, { day: formats.day(promise.day), what: promise.invoices.join(', ') }));
  if (foreseen?.asked_again) effects.push(words.askedAgain);
  if (foreseen?.solved_problem) effects.push(words.solved);
  // The dry run knows nothing of the promise, which puts reminders off.
  if (foreseen && promise === null) {
    const { next_reminder: reminder } = foreseen;
    effects.push(reminder === null ? words.noReminder : fill(words.reminder, { day: formats.day(reminder) }));
  }
  return <Effects effects={effects} error={tried.error} />;
}

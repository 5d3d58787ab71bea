import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useFormats } from '../formats.ts';
import { kindOfObject } from '../kinds/all.ts';
import type { Timeline as Entries, Kind } from '../kinds/kind.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';

interface Of {
  kind: Kind;
  id: string;
}

export function useTimeline({ kind, id }: Of) {
  const { session } = useRouteContext({ from: '__root__' });
  return useQuery({
    queryKey: ['timeline', kind.list, id],
    queryFn: async () => (await kind.timeline?.(session.api, id)) ?? [],
  });
}

/** What happened to an object, what comes next, and why. */
export function Timeline({ kind, id }: Of) {
  const words = useWords();
  const timeline = useTimeline({ kind, id });
  const entries = timeline.data ?? [];
  const upcoming = entries.filter((one) => one.upcoming).reverse();
  const past = entries.filter((one) => !one.upcoming);
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{words.timeline}</h2>
      {timeline.isError && <ErrorNote error={timeline.error} />}
      {timeline.isPending && <p role="status">{words.loading}</p>}
      {upcoming.length > 0 && <h3>{words.upcoming}</h3>}
      <Steps entries={upcoming} kind={kind} />
      {past.length > 0 && <h3>{words.happened}</h3>}
      <Steps entries={past} kind={kind} />
      {timeline.data?.length === 0 && <p className="none">{words.nothingHappened}</p>}
    </section>
  );
}

function Steps({ entries, kind }: { entries: Entries; kind: Kind }) {
  const formats = useFormats();
  if (entries.length === 0) return null;
  return (
    <ol className="steps">
      {entries.map(({ id, timestamp, what, why, rule, subject }) => (
        <li key={id}>
          <time dateTime={new Date(timestamp * 1000).toISOString()}>{formats.time(timestamp)}</time>
          <p dir="auto">
            {what} {namesOther({ rule, what, subject }, kind) && <Subject {...subject} />}
          </p>
          {why && (
            <p className="why" dir="auto">
              {why}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Whether a step is about an object that neither the page nor its text names. The look-up of a charge names an attempt, which has no page. */
const namesOther = ({ rule, what, subject }: Pick<Entries[number], 'rule' | 'what' | 'subject'>, kind: Kind): boolean =>
  subject.object !== kind.object && rule !== 'look_up' && !(subject.number && what.includes(subject.number));

/** What a step is about, on the page of another object. */
function Subject({ object, id, number }: Entries[number]['subject']) {
  const words = useWords();
  const kind = kindOfObject(object);
  if (!kind) return null;
  return (
    <Link to="/$list/$id" params={{ list: kind.list, id: String(id) }} dir="auto">
      {number ?? `${words.place[kind.list]} ${id}`}
    </Link>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useFormats } from '../formats.ts';
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
      <Steps entries={upcoming} />
      {past.length > 0 && <h3>{words.happened}</h3>}
      <Steps entries={past} />
      {timeline.data?.length === 0 && <p className="none">{words.nothingHappened}</p>}
    </section>
  );
}

function Steps({ entries }: { entries: Entries }) {
  const formats = useFormats();
  if (entries.length === 0) return null;
  return (
    <ol className="steps">
      {entries.map(({ id, timestamp, what, why }) => (
        <li key={id}>
          <time dateTime={new Date(timestamp * 1000).toISOString()}>{formats.time(timestamp)}</time>
          <p dir="auto">{what}</p>
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

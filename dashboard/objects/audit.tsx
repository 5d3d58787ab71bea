import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Kind } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';
import { useActingWords } from './acting.ts';
import { actorText, actText } from './operations.ts';

const SHOWN = 10;

/** Who changed an object. Only for people who may read the audit log. */
export function Audit({ kind, id }: { kind: Kind; id: string }) {
  const words = useWords();
  const formats = useFormats();
  const acting = useActingWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const isAllowed = can(me, 'people.read');
  const log = useQuery({
    queryKey: ['audit', kind.object, id],
    queryFn: () => session.api.get('/audit_log', { related_to: `${kind.object},${id}`, per_page: SHOWN }),
    enabled: isAllowed,
  });
  if (!isAllowed) return null;
  return (
    <section aria-labelledby="audit">
      <h2 id="audit">{words.audit}</h2>
      {log.isError && <ErrorNote error={log.error} />}
      {log.data?.length === 0 && <p className="none">{words.auditEmpty}</p>}
      <ol className="steps">
        {log.data?.map((entry) => (
          <li key={entry.id}>
            <time dateTime={new Date(entry.created_at * 1000).toISOString()}>{formats.time(entry.created_at)}</time>
            <p>
              {acting && actText(acting, entry.operation)}{' '}
              {acting && <span dir="auto">{fill(words.auditBy, { name: actorText(acting, entry.actor) })}</span>}
            </p>
            <Changes before={entry.before} after={entry.after} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The fields that differ. */
function Changes({ before, after }: { before: object | null; after: object | null }) {
  const words = useWords();
  const labels: Readonly<Record<string, string>> = { ...words.fields };
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const [old, next] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  if (names.length === 0 || before === null) return null;
  return (
    <ul className="changes">
      {names.slice(0, 20).map((name) => (
        <li key={name} dir="auto">
          {labels[name] ?? name.replaceAll('_', ' ')}: <del>{told(old.get(name))}</del> →{' '}
          <ins>{told(next.get(name))}</ins>
        </li>
      ))}
    </ul>
  );
}

const told = (value: unknown): string => JSON.stringify(value ?? null).slice(0, 80);

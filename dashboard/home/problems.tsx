import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import type { Element } from '../../client/operations.ts';
import { useFormats } from '../formats.ts';
import { kindOfObject } from '../kinds/all.ts';
import { useActingWords } from '../objects/acting.ts';
import { nounOf } from '../objects/operations.ts';
import { Problem as LoadProblem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useOverviewWords, useWords } from '../words.ts';

type Problem = Element<'/problems'>;

const MOST = 100;

/** Steps that processes cannot take, the oldest first, each with the way to its object. */
export function ProblemsPage() {
  const words = useWords();
  const { problems } = useOverviewWords();
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['problems'],
    queryFn: ({ signal }) => session.api.with({ signal }).get('/problems', { sort: 'since asc', per_page: MOST }),
  });
  useTitle(problems.title);
  if (read.isError) return <LoadProblem error={read.error} again={() => read.refetch()} />;
  if (read.isPending) return <p role="status">{words.loading}</p>;
  return (
    <>
      <div className="title">
        <h1>{problems.title}</h1>
      </div>
      <p>{problems.what}</p>
      {read.data.length === 0 ? (
        <p className="none">{problems.none}</p>
      ) : (
        <section>
          <table className="report">
            <thead>
              <tr>
                <th scope="col">{problems.object}</th>
                <th scope="col">{problems.reason}</th>
                <th scope="col" className="money">
                  {problems.atRisk}
                </th>
                <th scope="col">{problems.since}</th>
                <th scope="col">{problems.nextTry}</th>
              </tr>
            </thead>
            <tbody>
              {read.data.map((problem) => (
                <Line key={problem.id} problem={problem} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function Line({
  problem: { subject, message, money_at_risk: amount, currency, since, next_try_at: next },
}: {
  problem: Problem;
}) {
  const { problems } = useOverviewWords();
  const formats = useFormats();
  return (
    <tr>
      <th scope="row">
        <Subject {...subject} />
      </th>
      <td data-label={problems.reason} dir="auto">
        {message}
      </td>
      <td data-label={problems.atRisk} className="money figure">
        {amount !== null && currency !== null ? formats.money(amount, currency) : ''}
      </td>
      <td data-label={problems.since}>{formats.day(since)}</td>
      <td data-label={problems.nextTry}>{next === null ? problems.byHand : formats.time(next)}</td>
    </tr>
  );
}

/** The object whose process is blocked. The PDF of a document is on the page of the document. */
function Subject({ object, id }: Problem['subject']) {
  const acting = useActingWords();
  const whole = object.replace(/_pdf$/, '');
  const kind = kindOfObject(whole);
  const noun = acting ? nounOf(acting, whole) : '';
  const name = `${noun} ${id}${whole === object ? '' : ' (PDF)'}`;
  if (!kind) return name;
  return (
    <Link to="/$list/$id" params={{ list: kind.list, id: String(id) }}>
      {name}
    </Link>
  );
}

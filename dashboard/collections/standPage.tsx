import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { can } from '../session.ts';
import { tellLater } from '../shell/kept.ts';
import { PageProblem, Problem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useCaringWords, useWords } from '../words.ts';
import { StepMail } from './ahead.tsx';
import { CadenceActs } from './cadenceActs.tsx';
import { type Cadence, cadencesKey } from './cadences.ts';
import { CollectorActs } from './customerActs.tsx';
import { type ForeseenCustomer, isIn, textOfWhich, whichIn, whyOf } from './standing.ts';
import { useCollectingWords, useCounted } from './words.ts';
import '../styles/collections.css';

/** How far the steps are looked at: as far as the API looks. */
const DAYS_AHEAD = 60;

/** How many customers stand there at once. */
const MOST_SHOWN = 50;

/** Who follows a cadence: the step that each took last, the next one with its day, or the reason why nothing comes. */
export function StandPage() {
  const { id } = useParams({ from: '/collections/cadences/$id' });
  const { collections, loading } = useWords();
  const words = useCollectingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const navigate = useNavigate();
  const cadence = useQuery({
    queryKey: [...cadencesKey('chasing_cadences'), id],
    queryFn: () => session.api.get('/chasing_cadences/{id}', { id: Number(id) }),
  });
  useTitle(cadence.data?.name ?? words.who);
  if (cadence.isError) return <PageProblem error={cadence.error} again={() => cadence.refetch()} />;
  return (
    <>
      <Link className="back" to="/collections">
        {collections}
      </Link>
      <div className="title">
        <h1 dir="auto">{cadence.data?.name ?? words.who}</h1>
        {cadence.data?.paused && <span className="status past_due">{words.isPaused}</span>}
      </div>
      {!cadence.data && <p role="status">{loading}</p>}
      {cadence.data && (
        <>
          <p>{words.mode[cadence.data.assignment_mode]}</p>
          <div className="tools">
            <CadenceActs
              list="chasing_cadences"
              cadence={cadence.data}
              deleted={(told) => {
                tellLater(told);
                void navigate({ to: '/collections' });
              }}
            />
          </div>
          <h2>{words.who}</h2>
          <Followers cadence={cadence.data} />
        </>
      )}
    </>
  );
}

function Followers({ cadence }: { cadence: Cadence }) {
  const { standing: words } = useCollectingWords();
  const { loading } = useWords();
  const counted = useCounted();
  const { session } = useRouteContext({ from: '__root__' });
  const { show } = useSearch({ from: '/collections/cadences/$id' });
  const [most, setMost] = useState(MOST_SHOWN);
  const read = useInfiniteQuery({
    queryKey: ['list', 'followers', cadence.id],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      session.api.get('/chasing_cadences/{id}/preview', {
        id: cadence.id,
        days: DAYS_AHEAD,
        ...(pageParam === 0 ? {} : { after: pageParam }),
      }),
    getNextPageParam: ({ next }) => next,
  });
  if (read.isError) return <Problem error={read.error} again={() => read.refetch()} />;
  if (!read.data) return <p role="status">{loading}</p>;
  const all = read.data.pages.flatMap(({ customers }) => customers);
  const which = whichIn(show);
  const found = all.filter((one) => isIn(which, one));
  if (all.length === 0 && !read.hasNextPage)
    return (
      <div className="nothing">
        <h3>{words.nobody}</h3>
        <p>{words.nobodyWhat}</p>
      </div>
    );
  return (
    <>
      <Filter cadence={cadence} all={all} />
      <p role="status">{counted(words.found, found.length)}</p>
      <ul className="followers">
        {found.slice(0, most).map((one) => (
          <Follower key={one.customer} cadence={cadence} follower={one} />
        ))}
      </ul>
      {(found.length > most || read.hasNextPage) && (
        <Button
          className="secondary"
          isPending={read.isFetchingNextPage}
          onPress={() => {
            if (found.length <= most) void read.fetchNextPage();
            setMost(most + MOST_SHOWN);
          }}
        >
          {words.more}
        </Button>
      )}
    </>
  );
}

/** Chooses whom to show. The address keeps the choice. */
function Filter({ cadence, all }: { cadence: Cadence; all: readonly ForeseenCustomer[] }) {
  const { standing: words } = useCollectingWords();
  const { number } = useFormats();
  const whyText = useWhyText();
  const navigate = useNavigate();
  const { show } = useSearch({ from: '/collections/cadences/$id' });
  const option = (by: 'next' | 'last' | 'why', what: string, name: string) => {
    const count = all.filter((one) => isIn({ by, what }, one)).length;
    return (
      <option key={what} value={textOfWhich({ by, what })}>
        {name} ({number(count)})
      </option>
    );
  };
  const reasons = [...new Set(all.flatMap((one) => whyOf(one) ?? []))];
  return (
    <p className="which">
      <label>
        {words.show}{' '}
        <select
          value={textOfWhich(whichIn(show))}
          onChange={({ target }) =>
            navigate({
              to: '/collections/cadences/$id',
              params: { id: String(cadence.id) },
              search: target.value === '' ? {} : { show: target.value },
              replace: true,
            })
          }
        >
          <option value="">{words.all}</option>
          <optgroup label={words.nextIs}>
            {cadence.steps.map(({ id, name }) => option('next', String(id), name))}
          </optgroup>
          <optgroup label={words.lastIs}>
            {cadence.steps.map(({ id, name }) => option('last', String(id), name))}
          </optgroup>
          {reasons.length > 0 && (
            <optgroup label={words.because}>{reasons.map((why) => option('why', why, whyText(why)))}</optgroup>
          )}
        </select>
      </label>
    </p>
  );
}

/** The words for a reason why nothing comes. */
function useWhyText(): (why: string) => string {
  const { chasing } = useCaringWords();
  const { number } = useFormats();
  const reasons: Readonly<Record<string, string>> = chasing.customer;
  return (why) => reasons[why] ?? fill(chasing.later, { days: number(DAYS_AHEAD) });
}

function Follower({ cadence, follower }: { cadence: Cadence; follower: ForeseenCustomer }) {
  const { standing: words } = useCollectingWords();
  const { chasing } = useCaringWords();
  const { me } = useRouteContext({ from: '__root__' });
  const formats = useFormats();
  const whyText = useWhyText();
  const { customer, name, last_step: last } = follower;
  const [next] = follower.steps;
  const why = whyOf(follower);
  const id = String(customer);
  const lastName = last && (cadence.steps.find((step) => step.id === last.chase_step)?.name ?? words.gone);
  return (
    <li>
      <div className="whom">
        {can(me, 'customers.read') ? (
          <Link to="/$list/$id" params={{ list: 'customers', id }} dir="auto">
            {name}
          </Link>
        ) : (
          <span dir="auto">{name}</span>
        )}
        <strong className="figure">
          {next?.balances.map(({ currency, balance }) => formats.money(balance, currency)).join(', ')}
        </strong>
      </div>
      <dl>
        <div>
          <dt>{words.last}</dt>
          <dd dir="auto">
            {last ? `${lastName}${last.at === null ? '' : ` – ${formats.day(last.at)}`}` : words.nothingYet}
          </dd>
        </div>
        <div>
          <dt>{words.next}</dt>
          <dd>
            {next && (
              <>
                {formats.day(next.at)} – <span dir="auto">{next.name}</span> ({chasing.actions[next.action]})
              </>
            )}
            {why !== null && whyText(why)}
          </dd>
        </div>
      </dl>
      <div className="does">
        {next?.action === 'email' && (
          <StepMail
            customer={follower}
            step={next}
            template={cadence.steps.find((step) => step.id === next.chase_step)?.email_template_id ?? null}
          />
        )}
        <CollectorActs id={id} name={name} />
      </div>
    </li>
  );
}

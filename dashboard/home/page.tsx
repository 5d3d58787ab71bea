import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fill } from '../../words/text.ts';
import { ErrorNote, PageProblem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useOverviewWords, useWords } from '../words.ts';
import { GoLiveSteps } from './goLive.tsx';
import { MoneyIn, RecurringRevenue } from './income.tsx';
import type { Home } from './link.tsx';
import { Owed } from './owed.tsx';
import { useTold } from './told.ts';
import { NeedsPerson, NextDays, Retrying } from './work.tsx';

const MINUTE = 60_000;

/** What is owed, what needs a person, and what comes next. Read anew each minute while somebody looks at it. */
export function HomePage() {
  const words = useWords();
  const { home } = useOverviewWords();
  const told = useTold();
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => session.api.with({ signal }).get('/home'),
    staleTime: 0,
    refetchInterval: MINUTE,
    refetchOnWindowFocus: 'always',
  });
  useTitle(words.home);
  if (read.isPending) return <p role="status">{words.loading}</p>;
  if (!read.data) return <PageProblem error={read.error} again={() => read.refetch()} />;
  return (
    <>
      <div className="title home-title">
        <h1>{words.home}</h1>
        <p className="count">
          {fill(home.asOf, { time: told.clock(read.data.as_of) })} · {home.refreshes}
        </p>
      </div>
      {read.isError && <ErrorNote error={read.error} />}
      <Parts home={read.data} />
    </>
  );
}

const isEmpty = ({ open, money, needs_a_person: needs, next_seven_days: week }: Home): boolean =>
  (open?.currencies.length ?? 0) + (needs?.items.length ?? 0) + (week?.items.length ?? 0) === 0 &&
  (money?.this_month.sums.length ?? 0) + (money?.last_month.sums.length ?? 0) === 0;

function Parts({ home }: { home: Home }) {
  const { open, money, mrr, retrying, needs_a_person: needs, next_seven_days: week, go_live: goLive } = home;
  const isNew = isEmpty(home);
  const steps = goLive && !goLive.done ? <GoLiveSteps goLive={goLive} isOpen={isNew} /> : null;
  if (steps && isNew) return <div className="home">{steps}</div>;
  return (
    <div className="home">
      <Part name="open" home={home}>
        {open && <Owed open={open} />}
      </Part>
      <div>
        <Part name="needs_a_person" home={home}>
          {needs && <NeedsPerson needs={needs} />}
        </Part>
        <Part name="retrying" home={home}>
          {retrying && <Retrying retrying={retrying} />}
        </Part>
      </div>
      <div>
        <Part name="next_seven_days" home={home}>
          {week && <NextDays week={week} today={home.today} />}
        </Part>
        <Part name="money" home={home}>
          {money && <MoneyIn money={money} />}
        </Part>
        <Part name="mrr" home={home}>
          {mrr && <RecurringRevenue mrr={mrr} />}
        </Part>
      </div>
      {steps}
    </div>
  );
}

/** A part that the person may not read is left out. One that took too long to read says so. */
function Part({ name, home, children }: { name: keyof Home; home: Home; children: ReactNode }) {
  const words = useOverviewWords().home;
  const titles: Partial<Record<keyof Home, string>> = {
    open: words.owed,
    needs_a_person: words.needs,
    next_seven_days: words.week,
    money: words.money,
    mrr: words.revenue,
    retrying: words.retrying,
  };
  if (!home.incomplete.includes(name)) return children;
  return (
    <section>
      <h2>{titles[name]}</h2>
      <p className="none">{words.incomplete}</p>
    </section>
  );
}

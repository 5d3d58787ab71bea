import { Link, Outlet, useRouteContext, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider';
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue, useLocale } from 'react-aria-components';
import { FormatsContext } from '../formats.ts';
import { groups, kindOfList } from '../kinds/all.ts';
import { type Place, rootOf } from '../place.ts';
import { can, hasWorklist, type Me } from '../session.ts';
import { useOverviewWords, useWords } from '../words.ts';
import { formatsOf } from '../written.ts';
import { Jobs } from './jobs.tsx';
import { Palette } from './palette.tsx';
import { PersonMenu } from './person.tsx';

/** What surrounds every page: the account, the environment, which colors it, and the places to go to. */
export function Frame() {
  const words = useWords();
  const { me, place } = useRouteContext({ from: '__root__' });
  const { locale } = useLocale();
  const formats = useMemo(() => formatsOf({ language: locale, zone: me.time_zone }), [locale, me.time_zone]);
  const isSandbox = place.environment === 'sandbox';
  return (
    <FormatsContext value={formats}>
      <UNSAFE_PortalProvider getContainer={() => document.getElementById('main')}>
        <div className={isSandbox ? 'frame sandbox' : 'frame'}>
          <a className="skip" href="#main">
            {words.skip}
          </a>
          <header>
            <AccountSwitch place={place} me={me} />
            <Palette />
            <p className="ribbon">{isSandbox ? words.sandboxNote : words.live}</p>
            <a className="switch" href={rootOf({ ...place, environment: isSandbox ? 'live' : 'sandbox' })}>
              {isSandbox ? words.toLive : words.toSandbox}
            </a>
            <PersonMenu />
          </header>
          <Places me={me} />
          <main id="main" tabIndex={-1}>
            <OfflineNote />
            <Jobs />
            <Outlet />
          </main>
        </div>
      </UNSAFE_PortalProvider>
    </FormatsContext>
  );
}

/** The lists that the person may read, by groups. On a phone they are folded away. */
function Places({ me }: { me: Me }) {
  const words = useWords();
  const { report } = useOverviewWords();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  const shown = groups.map((lists) => lists.filter((list) => can(me, `${kindOfList(list)?.area}.read`)));
  return (
    <nav aria-label={words.menu} className={isOpen ? 'open' : ''}>
      <Button className="secondary menu" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {words.menu}
      </Button>
      <div>
        <ul>
          <li>
            <Link to="/" activeOptions={{ exact: true }}>
              {words.home}
            </Link>
          </li>
          {hasWorklist(me) && (
            <li>
              <Link to="/worklist" activeOptions={{ includeSearch: false }}>
                {words.worklist}
              </Link>
            </li>
          )}
          {can(me, 'reports.read') && (
            <li>
              <Link to="/reports">{report.all}</Link>
            </li>
          )}
        </ul>
        {shown
          .filter((lists) => lists.length > 0)
          .map((lists) => (
            <ul key={lists.join()}>
              {lists.map((list) => (
                <li key={list}>
                  <Link
                    to="/$list"
                    params={{ list }}
                    search={kindOfList(list)?.opening ?? {}}
                    activeOptions={{ includeSearch: false }}
                  >
                    {words.place[list]}
                  </Link>
                </li>
              ))}
              {lists.includes('tasks') && (
                <li>
                  <Link to="/collections">{words.collections}</Link>
                </li>
              )}
            </ul>
          ))}
      </div>
    </nav>
  );
}

/** Chooses among the accounts in which the person works, in the same environment. */
function AccountSwitch({ place, me }: { place: Place; me: Me }) {
  const words = useWords();
  const live = me.accounts.filter(({ environment }) => environment === 'live');
  return (
    <Select
      aria-label={words.account}
      value={String(place.account)}
      onChange={(key) => location.assign(rootOf({ ...place, account: Number(key) }))}
    >
      <Button className="account">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover>
        <ListBox>
          {live.map(({ id, name }) => (
            <ListBoxItem key={id} id={String(id)} textValue={name}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

function OfflineNote() {
  const words = useWords();
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine);
  return <div role="status">{isOnline ? null : <p className="offline">{words.offline}</p>}</div>;
}

function watchConnection(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

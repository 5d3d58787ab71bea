import { Link, Outlet, useRouteContext } from '@tanstack/react-router';
import { useMemo, useSyncExternalStore } from 'react';
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue, useLocale } from 'react-aria-components';
import { FormatsContext, formatsOf } from '../formats.ts';
import { kinds } from '../kinds/all.ts';
import { type Place, rootOf } from '../place.ts';
import { can, type Me } from '../session.ts';
import { useWords } from '../words.ts';

/** What surrounds every page: the account, the environment, which colors it, and the places to go to. */
export function Frame() {
  const words = useWords();
  const { me, account, place } = useRouteContext({ from: '__root__' });
  const { locale } = useLocale();
  const formats = useMemo(() => formatsOf({ language: locale, zone: account.time_zone }), [locale, account.time_zone]);
  const isSandbox = place.environment === 'sandbox';
  return (
    <FormatsContext value={formats}>
      <div className={isSandbox ? 'frame sandbox' : 'frame'}>
        <a className="skip" href="#main">
          {words.skip}
        </a>
        <header>
          <AccountSwitch place={place} me={me} />
          <a className="switch" href={rootOf({ ...place, environment: isSandbox ? 'live' : 'sandbox' })}>
            {isSandbox ? words.toLive : words.toSandbox}
          </a>
          <a href="/security">{words.security}</a>
        </header>
        {isSandbox && <p className="ribbon">{words.sandboxNote}</p>}
        <OfflineNote />
        <Places me={me} />
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </FormatsContext>
  );
}

/** The lists that the person may read. */
function Places({ me }: { me: Me }) {
  const words = useWords();
  return (
    <nav aria-label={words.places}>
      {kinds
        .filter(({ area }) => can(me, `${area}.read`))
        .map(({ list }) => (
          <Link key={list} to="/$list" params={{ list }} search={{}} activeOptions={{ includeSearch: false }}>
            {words.place[list]}
          </Link>
        ))}
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

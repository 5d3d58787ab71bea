import { Link, Outlet, useRouteContext } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import { type Place, rootOf } from '../place.ts';
import { useWords } from '../words.ts';

/** What surrounds every page: the account, the environment, which colors it, and the places to go to. */
export function Frame() {
  const words = useWords();
  const { me, place } = useRouteContext({ from: '__root__' });
  const isSandbox = place.environment === 'sandbox';
  return (
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
      <nav aria-label={words.places}>
        <Link to="/customers" search={{}}>
          {words.customers}
        </Link>
      </nav>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

interface OwnAccount {
  id: number;
  name: string;
  environment: string;
}

/** Chooses among the accounts in which the person works, in the same environment. */
function AccountSwitch({ place, me }: { place: Place; me: { account: OwnAccount; accounts: readonly OwnAccount[] } }) {
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

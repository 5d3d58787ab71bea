import { useRouteContext } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWords } from '../words.ts';

/** Names the page in its tab, with the account and the environment, so that tabs of several are told apart. Without a title: the place alone. */
export function useTitle(title: string): void {
  const words = useWords();
  const { place, me } = useRouteContext({ from: '__root__' });
  const account = me.accounts.find(({ id }) => id === place.account)?.name ?? '';
  const parts = [title, account, words[place.environment]].filter((part) => part !== '');
  useEffect(() => {
    document.title = parts.join(' · ');
  });
}

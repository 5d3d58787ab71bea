/** What the browser keeps from one page to the next. */
import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { kindOfList } from '../kinds/all.ts';
import type { Place } from '../place.ts';
import type { Me } from '../session.ts';

const MOST = 6;

/** An object that the person has looked at. Only its id is kept in the browser, so that no name of a customer stays there. */
export interface Seen {
  list: string;
  id: string;
}

const keyOf = ({ account, environment }: Place, { email }: Me) => `perennial.seen.${account}.${environment}.${email}`;

/** The objects that the person looked at last, in this place. */
export function seenLast(place: Place, me: Me): Seen[] {
  const entries = (localStorage.getItem(keyOf(place, me)) ?? '').split('\n').slice(0, MOST);
  return entries.flatMap((entry) => {
    const [list = '', id = ''] = entry.split('/');
    return kindOfList(list) && id !== '' ? [{ list, id }] : [];
  });
}

/** Keeps an object among those seen last once it `isThere`. */
export function useRemembered({ list, id }: Seen, isThere: boolean): void {
  const { place, me } = useRouteContext({ from: '__root__' });
  useEffect(() => {
    if (!isThere) return;
    const others = seenLast(place, me).filter((one) => one.list !== list || one.id !== id);
    const entries = [{ list, id }, ...others].slice(0, MOST).map((one) => `${one.list}/${one.id}`);
    localStorage.setItem(keyOf(place, me), entries.join('\n'));
  }, [isThere, list, id, place, me]);
}

/** Where what is to be told waits. */
const TOLD = 'perennial.told';

/** Keeps what is to be told on the next page of this tab, which may be loaded anew. */
export const tellLater = (text: string): void => sessionStorage.setItem(TOLD, text);

/** What the page before left to be told, once. */
export function useToldLater(): string {
  const [told, setTold] = useState('');
  useEffect(() => {
    const left = sessionStorage.getItem(TOLD);
    if (left === null) return;
    sessionStorage.removeItem(TOLD);
    setTold(left);
  }, []);
  return told;
}

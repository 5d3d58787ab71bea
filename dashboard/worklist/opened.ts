import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import type { Item, Shown } from './items.ts';

/** Where the focus goes when another item opens. */
type Target = 'row' | 'item' | null;

/** Whether the focus is on the page already, such as in its filters. From the menu it goes to the list. */
const isInside = (element: Element | null): boolean =>
  element !== document.body && document.getElementById('main')?.contains(element) === true;

/**
 * The open item: that of the address, or the first one. It stays when the list is read again and another one stands first. An item on which somebody
 * works stays, even if it has left the list. One that is done is left out until the list is read again.
 */
export function useOpened({
  shown: { item: named },
  items,
  busyId,
  place,
  gone,
}: {
  shown: Pick<Shown, 'item'>;
  items: readonly Item[];
  /** Id of the item on which an act is begun; null: none is. */
  busyId: string | null;
  place: { current: HTMLElement | null };
  /** Tells that the item that was open waits no longer. */
  gone(item: Item): void;
}) {
  const navigate = useNavigate({ from: '/worklist' });
  const target = useRef<Target>(isInside(document.activeElement) ? null : 'row');
  const last = useRef<Item | null>(null);
  const before = last.current;
  const itemWith = (wanted: string | null) => items.find(({ id }) => id === wanted);
  const busy = before && before.id === busyId ? (itemWith(busyId) ?? before) : null;
  const open = busy ?? itemWith(named) ?? itemWith(before?.id ?? null) ?? items[0] ?? null;
  const openId = open?.id ?? null;
  last.current = open;
  const tellGone = useRef(gone);
  tellGone.current = gone;
  const opened = useRef<Item | null>(null);
  useEffect(() => {
    const left = opened.current;
    opened.current = last.current;
    const isLost = left !== null && left.id !== openId && target.current === null;
    if (isLost) tellGone.current(left);
    // The focus was in an item that another one has replaced.
    const wanted = isLost && document.activeElement === document.body ? 'item' : target.current;
    target.current = null;
    if (openId === null || wanted === null) return;
    const row = wanted === 'row' ? place.current?.querySelector<HTMLElement>('.row[aria-current]') : null;
    const heading = place.current?.querySelector<HTMLElement>('.item h2');
    const isSeen = row && row.offsetParent !== null;
    (isSeen ? row : heading)?.focus();
  }, [openId, place]);
  const show = useCallback(
    (item: string | undefined) =>
      navigate({
        replace: true,
        resetScroll: false,
        search: ({ item: _, ...search }) => (item === undefined ? search : { ...search, item }),
      }),
    [navigate],
  );
  const go = useCallback(
    (item: Item | null, to: Target) => {
      target.current = to;
      if (item && item.id === openId) {
        // It is open already: only the focus moves.
        target.current = null;
        place.current?.querySelector<HTMLElement>(to === 'row' ? '.row[aria-current]' : '.item h2')?.focus();
      }
      void show(item?.id);
    },
    [show, openId, place],
  );
  return { open, isNamed: named !== null, go, leave: () => show(undefined) };
}

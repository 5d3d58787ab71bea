import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { type ActName, actsOn, type Item, keyOf } from './items.ts';

interface Does {
  open: Item | null;
  move(by: number): void;
  begin(act: ActName): void;
  leave(): void;
}

/** The keys of the worklist. They work while the focus is in it, and not in a field. */
export function useKeys(place: { current: HTMLElement | null }, does: Does) {
  const { me } = useRouteContext({ from: '__root__' });
  const latest = useRef(does);
  latest.current = does;
  const isOpen = does.open !== null;
  useEffect(() => {
    const element = place.current;
    if (!isOpen || !element) return;
    const inList = (event: KeyboardEvent) => event.target instanceof Element && event.target.closest('.waiting');
    const moving = (by: number) => (event: KeyboardEvent) => {
      event.preventDefault();
      latest.current.move(by);
    };
    const movingInList = (by: number) => (event: KeyboardEvent) => {
      if (inList(event)) moving(by)(event);
    };
    const acting = (name: ActName) => (event: KeyboardEvent) => {
      const { open, begin } = latest.current;
      if (!open || !actsOn(open, me).includes(name)) return;
      event.preventDefault();
      begin(name);
    };
    const enter = (event: KeyboardEvent) => {
      const { open, begin } = latest.current;
      const isControl = event.target instanceof Element && event.target.closest('a, summary, button:not(.row)');
      const [usual] = open ? actsOn(open, me) : [];
      if (isControl || usual === undefined) return;
      event.preventDefault();
      begin(usual);
    };
    const keys = Object.entries(keyOf).flatMap(([name, key]) => (isAct(name) ? [[key, acting(name)] as const] : []));
    const ends = tinykeys(element, {
      ...Object.fromEntries(keys),
      j: moving(1),
      k: moving(-1),
      ArrowDown: movingInList(1),
      ArrowUp: movingInList(-1),
      Enter: enter,
    });
    const everywhere = tinykeys(
      element,
      {
        Escape: () => latest.current.leave(),
        '$mod+Enter': ({ target }) => {
          if (target instanceof Element) target.closest('form')?.requestSubmit();
        },
      },
      { ignore: ({ isComposing }) => isComposing },
    );
    return () => {
      ends();
      everywhere();
    };
  }, [place, me, isOpen]);
}

const isAct = (name: string): name is ActName => Object.hasOwn(keyOf, name);

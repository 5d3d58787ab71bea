import { useEffect, useState } from 'react';

const KEY = 'perennial.told';

/** Keeps what is to be told on the next page of this tab, which may be loaded anew. */
export const tellLater = (text: string): void => sessionStorage.setItem(KEY, text);

/** What the page before left to be told, once. */
export function useToldLater(): string {
  const [told, setTold] = useState('');
  useEffect(() => {
    const left = sessionStorage.getItem(KEY);
    if (left === null) return;
    sessionStorage.removeItem(KEY);
    setTold(left);
  }, []);
  return told;
}

import { useRef } from 'react';

/** Runs one thing at a time. What is begun while it runs, such as by the second half of a double click, is dropped. */
export function useSingle(): (run: () => Promise<unknown>) => void {
  const isRunning = useRef(false);
  return (run) => {
    if (isRunning.current) return;
    isRunning.current = true;
    const end = () => {
      isRunning.current = false;
    };
    run().then(end, end); // whoever runs it shows its error
  };
}

import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { isMainThread, threadId } from 'node:worker_threads';

/**
 * Preloaded into API and worker with `--import`. SIGUSR2 starts a CPU profile of every JavaScript thread. A second SIGUSR2 writes the profiles
 * to PROFILE_FOLDER.
 */
const session = new Session();
session.connect();
const toggle = new BroadcastChannel('profile');
toggle.unref();
let running = false;

async function toggleProfile(): Promise<void> {
  running = !running;
  if (running) {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    await session.post('Profiler.start');
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(`${process.env.PROFILE_FOLDER}/${process.pid}-${threadId}.cpuprofile`, JSON.stringify(profile));
}

toggle.onmessage = () => void toggleProfile();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    toggle.postMessage('toggle');
    void toggleProfile();
  });
}

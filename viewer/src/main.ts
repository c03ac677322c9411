import './style.css';
import './senses.css';
import './vehicles.css';
import './timeline.css';
import { App } from './app';
import { installHook } from './hook';
import { Page } from './page';
import { DETAILS } from './state/detail';

const address = new URL(location.href);
const app = new App(address);
const page = new Page(app, {
  detail: DETAILS.find((name) => name === address.searchParams.get('detail')),
  flat: address.searchParams.get('view') === 'flat',
});
installHook(
  app, () => page.pictures, () => page.maps.editor, () => ({ shown: page.eye.shown, last: page.eye.last }),
);
app.connection.connect();

/** Pictures this far apart, ms, leave no time beside them. */
const SLOW_MS = 40;
/** Pictures are at least this far apart, ms: `?pictures=N` asks for at most N a second. */
const SHORTEST_MS = shortest(address.searchParams.get('pictures'));
/** A browser's next chance comes some ms early or late: one that comes this early is taken, ms. */
const EARLY_MS = 4;
let last = performance.now();

function shortest(asked: string | null): number {
  const most = Number(asked);
  return asked !== null && most > 0 ? 1000 / most : 0;
}

function picture(): void {
  const now = performance.now();
  const elapsed = now - last;
  if (elapsed < SHORTEST_MS - EARLY_MS) {
    requestAnimationFrame(picture);
    return;
  }
  last = now;
  page.draw(now, elapsed / 1000);
  // Browsers prefer pictures: where one follows another without a pause, hands and messages would wait for several.
  if (elapsed > SLOW_MS) setTimeout(() => requestAnimationFrame(picture), 0);
  else requestAnimationFrame(picture);
}
requestAnimationFrame(picture);

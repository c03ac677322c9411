import './style.css';
import './senses.css';
import './vehicles.css';
import { App } from './app';
import { installHook } from './hook';
import { Page } from './page';

const address = new URL(location.href);
const app = new App(address);
const page = new Page(app, {
  low: address.searchParams.get('detail') === 'low',
  flat: address.searchParams.get('view') === 'flat',
});
installHook(
  app, () => page.canvas, () => page.pictures, () => page.maps.editor, () => ({ shown: page.eye.shown, last: page.eye.last }),
);
app.connection.connect();

/** A picture that took longer, s, is not made up for: the camera would jump. */
const LONGEST_S = 0.1;
let last = performance.now();

function picture(): void {
  const now = performance.now();
  page.draw(now, Math.min(LONGEST_S, (now - last) / 1000));
  last = now;
  requestAnimationFrame(picture);
}
requestAnimationFrame(picture);

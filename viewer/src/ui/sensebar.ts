// Switches on the picture for what is sensed: rays and camera. Only where robots or the world have such sensors.

import type { App } from '../app';
import { feels, has } from '../sensing';
import type { TextKey } from '../text';
import { h } from './dom';
import { icon, type IconName } from './icons';

export function senseButtons(app: App): HTMLElement[] {
  const make = (key: 'rays' | 'eye', picture: IconName, text: TextKey, label: TextKey) => h('button', {
    class: 'floating pill sense-switch', id: `switch-${key}`, label, attributes: { type: 'button' },
    on: {
      click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        const on = !app.settings[key];
        // Rays and camera are those of a selected robot, where the world has none.
        const { world } = app.scene ?? {};
        const known = world && (key === 'rays' ? feels(world) || has(world, 'camera') : has(world, 'camera'));
        if (on && !known) selectSensing(app);
        app.change({ [key]: on });
      },
    },
  }, icon(picture), h('span', { text }));
  const rays = make('rays', 'rays', 'rays', 'raysHint');
  const eye = make('eye', 'eye', 'eye', 'eyeHint');
  const refresh = () => {
    const owners = app.scene ? [...app.scene.bodies, app.scene.world] : [];
    // What cameras of the world look at is drawn with the rays.
    rays.hidden = !owners.some(feels) && !(app.scene && has(app.scene.world, 'camera'));
    eye.hidden = !owners.some((owner) => has(owner, 'camera'));
    document.body.classList.toggle('with-senses', !rays.hidden || !eye.hidden);
    rays.setAttribute('aria-pressed', String(app.settings.rays));
    eye.setAttribute('aria-pressed', String(app.settings.eye));
  };
  app.on('scene', refresh);
  app.on('settings', refresh);
  refresh();
  return [rays, eye];
}

/** Selects the first robot with sensors, where the selected body has none. */
export function selectSensing(app: App): void {
  if ((app.body(app.selected)?.sensors.length ?? 0) > 0) return;
  const first = app.scene?.robots.find((n) => app.scene!.bodies[n]!.sensors.length > 0);
  if (first !== undefined) app.select(first, false);
}

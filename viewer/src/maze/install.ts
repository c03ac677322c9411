// Puts maps and their editor into the page.

import './maze.css';
import type { App } from '../app';
import { t } from '../text';
import { allow, h, iconButton } from '../ui/dom';
import { icon } from '../ui/icons';
import { MapClient } from './client';
import { MazeEditor } from './editor';
import { MapOpener } from './open';

export interface MapParts {
  /** Opens the editor, or closes it. */
  editButton: HTMLButtonElement;
  editor: MazeEditor;
  opener: MapOpener;
}

/** `scenes` is the dialog of scenes, which gets a way to maps as well. */
export function installMaps(app: App, stage: HTMLElement, scenes: HTMLDialogElement): MapParts {
  const client = new MapClient(app);
  const editor = new MazeEditor(app, client);
  const opener = new MapOpener(app, client, (text, name) => editor.openMap(text, name), (file) => app.ghosting.open(file));
  const editButton = iconButton(icon('edit'), 'mazeEdit', () => (editor.isOpen ? editor.close() : editor.open()));
  editButton.id = 'edit-maze';
  const open = h('button', { class: 'small', id: 'open-map', attributes: { type: 'button' }, on: { click: () => {
    scenes.close();
    opener.pick();
  } } }, icon('open'), h('span', { text: 'mapOpen' }));
  const edit = h('button', { class: 'small', id: 'scenes-edit', attributes: { type: 'button' }, on: { click: () => {
    scenes.close();
    editor.open();
  } } }, icon('edit'), h('span', { text: 'mazeEdit' }));
  const tools = h('div', { class: 'dialog-tools' }, open, edit);
  scenes.querySelector('.dialog-body')?.prepend(tools);
  stage.append(editor.element);
  document.body.append(opener.element);

  const refresh = () => {
    open.title = t('mapOpenHint');
    const draft = editor.hasDraft;
    editButton.classList.toggle('draft-dot', draft);
    editButton.dataset.label = draft ? 'mazeDraft' : 'mazeEdit';
    editButton.title = t(draft ? 'mazeDraft' : 'mazeEdit');
    editButton.setAttribute('aria-label', editButton.title);
    // What this address may not do says why.
    const why = app.whyNot('control');
    for (const button of [editButton, ...tools.querySelectorAll('button')]) allow(button, app.welcome !== undefined, why);
  };
  for (const topic of ['welcome', 'settings'] as const) app.on(topic, refresh);
  editor.document.on('change', refresh);
  refresh();
  return { editButton, editor, opener };
}

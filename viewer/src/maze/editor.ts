// The editor of mazes: a drawing over the picture, with its own tools and keys.

import type { App } from '../app';
import { t, type TextKey } from '../text';
import { mapErrorLines } from '../text/map';
import { allow, chooser, h, iconButton, segmented, setText } from '../ui/dom';
import { icon } from '../ui/icons';
import { MazeCanvas, type MazeTool } from './canvas';
import type { MapClient } from './client';
import { MazeDocument } from './document';
import { keepDraft, loadDraft } from './draft';
import { DARK, LIGHT } from './draw';
import { bounds, isStroke } from './element';
import { MazeKeys } from './keys';
import { isLossy, nameWithSize, pictureOf } from './picture';
import { MazeNumbers } from './numbers';
import { elementsOf } from './text';
import { mapOfScene, stemOf } from './world';

const TOOLS: { value: MazeTool; text: TextKey }[] = [
  { value: 'select', text: 'mazeSelect' }, { value: 'wall', text: 'mazeWall' }, { value: 'line', text: 'mazeLine' },
  { value: 'cell', text: 'mazeCell' }, { value: 'cube', text: 'mazeCube' }, { value: 'ball', text: 'mazeBall' },
  { value: 'robot', text: 'mazeRobot' },
];
const GRIDS = [5, 2, 1, 0.5, 0.25, 0.1];
/** A maze has at least so many steps of the grid along its longer side. */
const GRID_STEPS = 30;
/** What the numbers of an element cover below the drawing. */
const NUMBERS_PX = 60;
/** So long after the last change a draft is kept, ms. */
const DRAFT_MS = 300;

export class MazeEditor {
  readonly element: HTMLElement;
  readonly document = new MazeDocument();
  readonly drawing: MazeCanvas;
  private readonly canvas = h('canvas', { class: 'maze-canvas', attributes: { tabindex: '-1' } });
  private readonly hint = h('div', { class: 'maze-hint', attributes: { role: 'status' } });
  private readonly top: HTMLElement;
  private readonly bottom: HTMLElement;
  private readonly tools;
  private readonly grid: HTMLSelectElement;
  private readonly apply: HTMLButtonElement;
  private gridBefore = 1;
  private gridChosen = false;
  private drafting: ReturnType<typeof setTimeout> | undefined;
  private started = false;

  constructor(
    private readonly app: App,
    private readonly client: MapClient,
  ) {
    const maze = this.document;
    this.drawing = new MazeCanvas(this.canvas, maze, {
      colours: () => (document.documentElement.dataset.theme === 'dark' ? DARK : LIGHT),
      moved: () => this.showHint(),
    });
    this.tools = segmented<MazeTool>('mazeTools',
      TOOLS.map(({ value, text }) => ({ value, text, icon: icon(value) })), (tool) => this.setTool(tool));
    this.tools.element.id = 'maze-tools';
    this.grid = chooser('mazeGrid', [
      { value: '', text: '', key: 'mazeGridOff' as TextKey }, ...GRIDS.map((step) => ({ value: String(step), text: `${step} m` })),
    ], (value) => this.chooseGrid(value === '' ? undefined : Number(value)));
    this.grid.id = 'maze-grid';
    const button = (name: Parameters<typeof icon>[0], label: TextKey, id: string, act: () => void) => {
      const one = iconButton(icon(name), label, act);
      one.id = id;
      return one;
    };
    const undo = button('undo', 'mazeUndo', 'maze-undo', () => maze.undo());
    const redo = button('redo', 'mazeRedo', 'maze-redo', () => maze.redo());
    const remove = button('delete', 'mazeDelete', 'maze-delete', () => maze.deleteSelected());
    const clear = button('clear', 'mazeClear', 'maze-clear', () => this.replace('', maze.name));
    const fromWorld = button('world', 'mazeFromWorld', 'maze-world', () => this.fromWorld());
    const home = button('home', 'home', 'maze-home', () => this.drawing.home());
    const saveText = button('text', 'mazeSaveText', 'maze-save-text', () => this.saveText());
    const saveImage = button('image', 'mazeSaveImage', 'maze-save-image', () => void this.saveImage());
    this.apply = h('button', {
      class: 'main-button', id: 'maze-apply', label: 'mazeApplyHint', attributes: { type: 'button' }, on: { click: () => void this.applyNow() },
    }, h('span', { text: 'mazeApply' }));
    const close = button('close', 'mazeClose', 'maze-close', () => this.close());
    const numbers = new MazeNumbers(maze, () => app.emit('notice', { level: 'warning', text: t('mazeNumberBad') }));
    this.top = h('div', { class: 'maze-bar maze-top' },
      this.tools.element,
      h('div', { class: 'maze-group' }, undo, redo, remove, clear, fromWorld, home),
      h('label', { class: 'maze-group maze-grid' }, icon('grid'), this.grid),
      h('div', { class: 'maze-group maze-out' }, saveText, saveImage, this.apply, close));
    this.bottom = h('div', { class: 'maze-bar maze-bottom' }, numbers.element, this.hint);
    this.element = h('section', { class: 'maze-editor', id: 'maze-editor', label: 'mazeEdit' }, this.canvas, this.top, this.bottom);
    this.element.removeAttribute('title');
    this.element.hidden = true;
    maze.on('change', () => {
      undo.disabled = !maze.canUndo;
      redo.disabled = !maze.canRedo;
      remove.disabled = maze.selected.length === 0;
      clear.disabled = maze.items.length === 0;
      this.showHint();
      this.draftSoon();
    });
    new MazeKeys(this);
    new ResizeObserver(() => this.drawing.resize()).observe(this.element);
    for (const topic of ['link', 'welcome'] as const) app.on(topic, () => this.showRights());
    app.on('settings', () => {
      this.drawing.redraw();
      this.showHint();
    });
    window.addEventListener('pagehide', () => this.draftNow());
    this.setTool('select');
    this.setGrid(1);
    maze.emit('change', maze);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Whether there is work that is neither in a file nor in the world. */
  get hasDraft(): boolean {
    return this.started ? this.document.isUnsaved : loadDraft() !== undefined;
  }

  /** Opens the editor: with the work that was left, or with the running world. */
  open(): void {
    if (!this.isOpen) {
      this.restore();
      this.show();
    }
  }

  /** Opens the editor with this map; what was there comes back by undoing. */
  openMap(text: string, name: string): void {
    this.restore();
    this.show();
    if (this.document.isUnsaved && !this.document.isEmpty) this.app.emit('notice', { level: 'info', text: t('mazeReplaced') });
    this.document.open(text, stemOf(name));
    this.proposeGrid();
    this.drawing.home();
  }

  close(): void {
    this.draftNow();
    this.drawing.cancel();
    this.element.hidden = true;
    document.body.classList.remove('editing');
  }

  setTool(tool: MazeTool): void {
    this.drawing.tool = tool;
    this.tools.set(tool);
    this.showHint();
  }

  private setGrid(step: number | undefined): void {
    if (step !== undefined) this.gridBefore = step;
    this.drawing.grid = step;
    this.grid.value = step === undefined ? '' : String(step);
    this.drawing.redraw();
  }

  toggleGrid(): void {
    this.chooseGrid(this.drawing.grid === undefined ? this.gridBefore : undefined);
  }

  private chooseGrid(step: number | undefined): void {
    this.gridChosen = true;
    this.setGrid(step);
  }

  /** A grid that suits the size of the maze, until somebody chooses one. */
  private proposeGrid(): void {
    const box = bounds(elementsOf(this.document.items));
    if (this.gridChosen || !box) return;
    const extent = Math.max(box.high[0] - box.low[0], box.high[1] - box.low[1]);
    this.setGrid(GRIDS.find((step) => step <= extent / GRID_STEPS) ?? GRIDS.at(-1));
  }

  private show(): void {
    this.element.hidden = false;
    document.body.classList.add('editing');
    this.showRights();
    const gap = 14;
    this.drawing.margins = [this.top.offsetHeight + 2 * gap, gap, Math.max(this.bottom.offsetHeight, NUMBERS_PX) + 2 * gap, gap];
    this.drawing.resize();
    this.proposeGrid();
    this.drawing.home();
  }

  /** Takes up unsaved work, of this page or of one before; else begins with the world. */
  private restore(): void {
    const maze = this.document;
    const draft = this.started ? undefined : loadDraft();
    const scene = this.app.scene;
    const world = scene ? mapOfScene(scene.source) : '';
    if (draft) {
      maze.start(draft.text, draft.name, false);
      this.app.emit('notice', { level: 'info', text: t('mazeDraftBack') });
    } else if (!this.started) {
      maze.start(world, scene?.source.map ? stemOf(scene.name) : 'maze', true);
    } else if (!maze.isUnsaved && maze.text !== world) {
      this.fromWorld();
    }
    this.started = true;
  }

  private fromWorld(): void {
    const { scene } = this.app;
    if (!scene) return;
    this.replace(mapOfScene(scene.source), scene.source.map ? stemOf(scene.name) : 'maze');
    this.document.keep();
    this.drawing.home();
  }

  /** Another maze in place of this one, which undoing brings back. */
  private replace(text: string, name: string): void {
    if (text !== this.document.text) this.document.open(text, name);
  }

  private async applyNow(): Promise<void> {
    const maze = this.document;
    const { items } = maze;
    this.apply.disabled = true;
    const answer = await this.client.send({ name: `${maze.name}.txt`, data: new TextEncoder().encode(maze.text) }, false);
    this.showRights();
    if (answer.error) {
      const text = [t('mazeNotApplied'), ...mapErrorLines(answer.error)].join('\n');
      this.app.emit('notice', { level: 'error', text });
      return;
    }
    // What was drawn meanwhile is not in the world.
    if (maze.items === items) {
      maze.keep();
      this.close();
    }
    this.app.emit('notice', { level: 'info', text: t('mazeApplied') });
    if (!elementsOf(items).some(({ kind }) => kind === 'robot')) {
      this.app.emit('notice', { level: 'warning', text: t('mazeNoRobot') });
    }
  }

  private saveText(): void {
    save(new Blob([this.document.text], { type: 'text/plain' }), `${this.document.name}.txt`);
    this.document.keep();
  }

  private async saveImage(): Promise<void> {
    const elements = elementsOf(this.document.items);
    const { blob, size } = await pictureOf(elements);
    save(blob, nameWithSize(this.document.name, size));
    const [width, height] = size;
    this.app.emit('notice', { level: 'info', text: t('mazeSavedImage', { width, height }) });
    if (isLossy(elements)) this.app.emit('notice', { level: 'warning', text: t('mazeLossy') });
    else this.document.keep();
  }

  private draftSoon(): void {
    clearTimeout(this.drafting);
    this.drafting = setTimeout(() => this.draftNow(), DRAFT_MS);
  }

  private draftNow(): void {
    clearTimeout(this.drafting);
    if (!this.started) return;
    const { name, text, isUnsaved } = this.document;
    const kept = keepDraft(isUnsaved ? { name, text } : undefined);
    if (!kept) this.app.emit('notice', { level: 'warning', text: t('mazeDraftLarge') });
  }

  private showRights(): void {
    const why = this.app.whyNot('control');
    allow(this.apply, this.app.isConnected, why);
    if (why !== undefined && this.isOpen) this.close();
  }

  /** What can be done, and where the hand is. */
  private showHint(): void {
    const { tool, hand } = this.drawing;
    const finger = matchMedia('(pointer: coarse)').matches;
    const [one, ...more] = this.document.selected;
    let text = t(tool === 'wall' || tool === 'line' ? 'mazeHintStroke' : tool === 'robot' ? 'mazeHintRobot'
      : tool !== 'select' ? 'mazeHintPlace' : finger ? 'mazeHintSelectTouch' : 'mazeHintSelect');
    if (more.length > 0) text = t('mazeSelected', { count: more.length + 1 });
    else if (one?.element && isStroke(one.element)) {
      const { from, to } = one.element;
      text = t('mazeLength', { length: Math.hypot(to[0] - from[0], to[1] - from[1]).toFixed(2) });
    }
    const place = hand && !finger ? `  ·  x ${hand[0].toFixed(2)}  y ${hand[1].toFixed(2)}` : '';
    setText(this.hint, text + place);
  }
}

/** Gives a file to the person. */
function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = h('a', { attributes: { href: address, download: name } });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

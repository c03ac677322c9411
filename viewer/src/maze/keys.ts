// Keys of the editor. While it is open the page's own keys rest: nobody drives a robot by drawing.

import type { MazeTool } from './canvas';
import { moved } from './element';
import type { MazeEditor } from './editor';

const TOOLS: Record<string, MazeTool> = {
  v: 'select', w: 'wall', l: 'line', k: 'cell', c: 'cube', b: 'ball', r: 'robot',
};
/** x is up, y to the left. */
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1],
};
/** How far an arrow moves where there is no grid, m. */
const FREE_STEP = 0.01;

export class MazeKeys {
  constructor(private readonly editor: MazeEditor) {
    // Before all others, who then do not get it.
    window.addEventListener('keydown', (event) => this.down(event), { capture: true });
  }

  private down(event: KeyboardEvent): void {
    const { editor } = this;
    if (!editor.isOpen || document.querySelector('dialog[open]')) return;
    const target = event.target as HTMLElement;
    const isTyped = target.closest?.('input, textarea, select') != null;
    // Help is the page's.
    if (!isTyped && (event.key === '?' || event.key.toLowerCase() === 'h')) return;
    event.stopPropagation();
    if (isTyped) {
      if (event.key === 'Escape' || event.key === 'Enter') target.blur();
      return;
    }
    if (target.closest?.('button, a') && (event.key === ' ' || event.key === 'Enter')) return;
    if (event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const done = event.ctrlKey || event.metaKey ? this.command(key, event.shiftKey) : this.plain(key);
    if (done) event.preventDefault();
  }

  private command(key: string, shift: boolean): boolean {
    const maze = this.editor.document;
    if (key === 'z') return shift ? maze.redo() : maze.undo(), true;
    if (key === 'y') return maze.redo(), true;
    if (key === 'a') return maze.selectAll(), true;
    return false;
  }

  private plain(key: string): boolean {
    const { editor } = this;
    const { document: maze, drawing } = editor;
    const tool = TOOLS[key];
    if (tool) return editor.setTool(tool), true;
    const arrow = ARROWS[key];
    if (arrow) return this.nudge(arrow), true;
    switch (key) {
      case 'Delete': case 'Backspace':
        maze.deleteSelected();
        return true;
      case 'Escape':
        if (drawing.cancel()) return true;
        if (drawing.tool !== 'select') editor.setTool('select');
        else maze.select([]);
        return true;
      case 'g': return editor.toggleGrid(), true;
      case 'Home': return drawing.home(), true;
      case '+': case '=': return drawing.zoom(1.25), true;
      case '-': return drawing.zoom(0.8), true;
      default: return false;
    }
  }

  private nudge([dx, dy]: readonly [number, number]): void {
    const { document: maze, drawing } = this.editor;
    const step = drawing.grid ?? FREE_STEP;
    const chosen = maze.selected.flatMap(({ id, element }) =>
      element ? [[id, moved(element, dx * step, dy * step)] as const] : []);
    if (chosen.length > 0) maze.changeAll(new Map(chosen));
  }
}

// The numbers of the selected element, to be typed.

import { t, type TextKey } from '../text';
import { h } from '../ui/dom';
import type { MazeDocument } from './document';
import { fieldsOf, type Field } from './fields';
import type { Item } from './text';

const NAMES: Record<string, TextKey> = {
  wall: 'mazeWall', line: 'mazeLine', cell: 'mazeCell', cube: 'mazeCube', ball: 'mazeBall', robot: 'mazeRobot',
};

export class MazeNumbers {
  readonly element = h('div', { class: 'maze-numbers', id: 'maze-numbers' });
  /** What the inputs were made for. */
  private shown = '';
  private inputs: HTMLInputElement[] = [];

  constructor(
    private readonly maze: MazeDocument,
    private readonly refuse: () => void,
  ) {
    maze.on('change', () => this.refresh());
    this.refresh();
  }

  private refresh(): void {
    const [item, ...more] = this.maze.selected;
    const element = more.length === 0 ? item?.element : undefined;
    this.element.hidden = element === undefined;
    if (!item || !element) {
      this.shown = '';
      return;
    }
    const fields = fieldsOf(element);
    // Made anew only for another element: a field that is being typed in keeps the focus.
    const shown = `${item.id} ${element.kind}`;
    if (shown !== this.shown) {
      this.shown = shown;
      this.build(item, fields);
    }
    fields.forEach((field, i) => {
      const input = this.inputs[i];
      if (input && document.activeElement !== input) input.value = String(field.value);
    });
  }

  private build(item: Item, fields: readonly Field[]): void {
    const { element } = item;
    const name = element?.kind === 'mesh' ? t('mazeMesh', { file: element.file }) : undefined;
    const title = name === undefined ? h('b', { text: NAMES[element!.kind]! }) : h('b', {}, name);
    this.inputs = [];
    const cells = fields.map((field, i) => {
      const input = h('input', {
        attributes: { type: 'number', step: 'any', inputmode: 'decimal', autocomplete: 'off', 'data-field': field.label },
        on: { change: () => this.take(item.id, i, input) },
      });
      this.inputs.push(input);
      return h('label', {}, h('span', { text: field.label }), input, field.unit);
    });
    this.element.replaceChildren(title, ...cells);
  }

  private take(id: number, index: number, input: HTMLInputElement): void {
    const element = this.maze.item(id)?.element;
    const field = element && fieldsOf(element)[index];
    if (!field) return;
    const value = input.value.trim() === '' ? NaN : Number(input.value);
    if (!Number.isFinite(value) || !this.maze.change(id, field.with(value))) {
      input.value = String(field.value);
      this.refuse();
    }
  }
}

// A maze that is being edited: its lines, what is selected, undo and redo. No browser needed.

import { Emitter } from '../emitter';
import { isGood, type Element } from './element';
import { itemOf, lineOf, parse, withElement, write, type Item } from './text';

interface Snapshot {
  readonly items: readonly Item[];
  readonly selected: ReadonlySet<number>;
}

/** So many steps can be taken back. Lines are shared between them, so that each costs little. */
const MOST_UNDO = 500;

const NONE: ReadonlySet<number> = new Set();

export class MazeDocument extends Emitter<{ change: MazeDocument }> {
  /** What it is called, without an ending. */
  name = 'maze';
  private now: Snapshot = { items: [], selected: NONE };
  private past: Snapshot[] = [];
  private future: Snapshot[] = [];
  /** The lines before the drag that is under way. */
  private before: Snapshot | undefined;
  /** The lines as they are known outside: in a file, or in the world. */
  private kept: readonly Item[] = this.now.items;

  get items(): readonly Item[] {
    return this.now.items;
  }

  get selected(): readonly Item[] {
    return this.now.items.filter((item) => this.now.selected.has(item.id));
  }

  get text(): string {
    return write(this.now.items);
  }

  get isEmpty(): boolean {
    return !this.now.items.some((item) => item.element);
  }

  /** Whether there is something that only this document has. */
  get isUnsaved(): boolean {
    const { items } = this.now;
    // Most lines are the same ones, which is quick to see.
    const isKept = (item: Item, i: number) => item === this.kept[i] || (this.kept[i] !== undefined && lineOf(item) === lineOf(this.kept[i]));
    return this.kept !== items && (this.kept.length !== items.length || !items.every(isKept));
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  isSelected(item: Item): boolean {
    return this.now.selected.has(item.id);
  }

  item(id: number): Item | undefined {
    return this.now.items.find((item) => item.id === id);
  }

  /** Takes another map in place of this one; `undo` brings this one back. */
  open(text: string, name: string): void {
    this.name = name;
    this.become({ items: parse(text), selected: NONE });
  }

  /** What is here now is known outside. */
  keep(): void {
    this.kept = this.now.items;
    this.emit('change', this);
  }

  /** Begins anew, without a past. */
  start(text: string, name: string, isKept: boolean): void {
    this.name = name;
    this.now = { items: parse(text), selected: NONE };
    this.past = [];
    this.future = [];
    this.before = undefined;
    this.kept = isKept ? this.now.items : [];
    this.emit('change', this);
  }

  // ---- changes; each can be undone

  /** Adds it and selects it; a bad one (a wall without length) is not added. */
  add(element: Element): Item | undefined {
    if (!isGood(element)) return undefined;
    const item = itemOf(element);
    this.become({ items: [...this.now.items, item], selected: new Set([item.id]) });
    return item;
  }

  /** Puts another element in an item's place; false where that makes no sense. */
  change(id: number, element: Element): boolean {
    return this.changeAll(new Map([[id, element]]));
  }

  /** The same for several, as one step. */
  changeAll(elements: ReadonlyMap<number, Element>): boolean {
    if (![...elements.values()].every(isGood)) return false;
    const items = this.now.items.map((item) => {
      const element = elements.get(item.id);
      return element ? withElement(item, element) : item;
    });
    this.become({ ...this.now, items });
    return true;
  }

  deleteSelected(): void {
    const { items, selected } = this.now;
    if (selected.size === 0) return;
    this.become({ items: items.filter((item) => !selected.has(item.id)), selected: NONE });
  }

  clear(): void {
    if (this.now.items.length > 0) this.become({ items: [], selected: NONE });
  }

  /** What follows until `endDrag` is one step. */
  beginDrag(): void {
    this.before ??= this.now;
  }

  endDrag(): void {
    const { before } = this;
    this.before = undefined;
    if (before && before.items !== this.now.items) this.remember(before);
    this.emit('change', this);
  }

  /** As if the drag had not been. */
  cancelDrag(): void {
    if (this.before) this.now = this.before;
    this.before = undefined;
    this.emit('change', this);
  }

  undo(): void {
    this.cancelDrag();
    this.travel(this.past, this.future);
  }

  redo(): void {
    this.cancelDrag();
    this.travel(this.future, this.past);
  }

  // ---- what is selected

  select(ids: Iterable<number>): void {
    this.now = { ...this.now, selected: new Set(ids) };
    this.emit('change', this);
  }

  toggle(id: number): void {
    const ids = new Set(this.now.selected);
    if (!ids.delete(id)) ids.add(id);
    this.select(ids);
  }

  selectAll(): void {
    this.select(this.now.items.filter((item) => item.element).map((item) => item.id));
  }

  private become(next: Snapshot): void {
    if (!this.before) this.remember(this.now);
    this.now = next;
    this.emit('change', this);
  }

  private remember(snapshot: Snapshot): void {
    this.past.push(snapshot);
    if (this.past.length > MOST_UNDO) this.past.shift();
    this.future = [];
  }

  private travel(from: Snapshot[], to: Snapshot[]): void {
    const next = from.pop();
    if (!next) return;
    to.push(this.now);
    this.now = next;
    this.emit('change', this);
  }
}

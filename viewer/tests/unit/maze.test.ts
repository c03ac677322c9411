import { afterEach, describe, expect, it, vi } from 'vitest';
import { MazeDocument } from '../../src/maze/document';
import { keepDraft, loadDraft } from '../../src/maze/draft';
import { bounds, distance, isGood, moved, type Element } from '../../src/maze/element';
import { degrees, fieldsOf, radians } from '../../src/maze/fields';
import { MapFrame } from '../../src/maze/frame';
import { nameWithSize, paperFor } from '../../src/maze/picture';
import { snapEnd, snapHeading, snapPoint } from '../../src/maze/snap';
import { elementsOf, elementText, itemOf, parse, write } from '../../src/maze/text';
import { mapOfScene, stemOf, straightWall } from '../../src/maze/world';
import type { Scene } from '../../src/proto/live.js';
import { setLanguage } from '../../src/text';
import { mapErrorLines, mapNote } from '../../src/text/map';

const ALL = `# The yard
W -20 -20, 20 -20  # south

W 3.5 4
L 0 0 1e-7 5
R 1 2 1.5707963267948966 # looks left
R 0 0
B 5 5
B 5 6 0.25
C 6 6
C 6 7 2
C 6 8 2 0.5
O 1 2 tree.obj
O 1 2 tree.obj 0.5
O 1 2 tree.obj 0 2
O 1 2 tree.obj 0.5 1 2 3
`;

describe('a text map', () => {
  it('comes back as it was written, comments and all', () => {
    expect(write(parse(ALL))).toBe(ALL);
    expect(write(parse(`\ufeff${ALL.replaceAll('\n', '\r\n')}`))).toBe(ALL);
    expect(write(parse('R 1 1'))).toBe('R 1 1\n');
    expect(parse('')).toEqual([]);
  });
  it('is read as the simulator reads it, and written in the shortest form', () => {
    const elements = elementsOf(parse(ALL));
    expect(elements.map((element) => element.kind)).toEqual([
      'wall', 'cell', 'line', 'robot', 'robot', 'ball', 'ball', 'cube', 'cube', 'cube', 'mesh', 'mesh', 'mesh', 'mesh',
    ]);
    expect(elements[0]).toEqual({ kind: 'wall', from: [-20, -20], to: [20, -20] });
    expect(elements[9]).toEqual({ kind: 'cube', at: [6, 8], size: 2, height: 0.5 });
    expect(elements.map(elementText)).toEqual([
      'W -20 -20 20 -20', 'W 3.5 4', 'L 0 0 1e-7 5', 'R 1 2 1.5707963267948966', 'R 0 0', 'B 5 5', 'B 5 6 0.25',
      'C 6 6', 'C 6 7 2', 'C 6 8 2 0.5', 'O 1 2 tree.obj', 'O 1 2 tree.obj 0.5', 'O 1 2 tree.obj 0 2', 'O 1 2 tree.obj 0.5 1 2 3',
    ]);
    for (const element of elements) expect(elementsOf(parse(elementText(element)))).toEqual([element]);
  });
  it('keeps a line that makes no sense', () => {
    for (const line of ['W 1 2 3', 'Q 1 2', 'R 0x10 1', 'B 1', 'O 1 2', 'C 1 2 3 4 5', 'O 1 2 a.obj 1 2 3']) {
      expect(elementsOf(parse(line)), line).toEqual([]);
      expect(write(parse(line))).toBe(`${line}\n`);
    }
  });
  it('keeps the comment of a line that was changed', () => {
    const maze = new MazeDocument();
    maze.start('W 0 0 1 1   # gate\nR 0 0\n', 'm', true);
    const [wall] = maze.items;
    maze.change(wall!.id, { kind: 'wall', from: [0, 0], to: [2, 2] });
    expect(maze.text).toBe('W 0 0 2 2   # gate\nR 0 0\n');
  });
});

describe('a document', () => {
  const wall: Element = { kind: 'wall', from: [0, 0], to: [0, 4] };
  const ball: Element = { kind: 'ball', at: [1, 1], size: 1 };

  it('undoes and redoes what was added, changed, deleted and cleared', () => {
    const maze = new MazeDocument();
    const states = [maze.text];
    const step = (act: () => void) => {
      act();
      states.push(maze.text);
    };
    step(() => maze.add(wall));
    step(() => maze.add(ball));
    step(() => maze.change(maze.items[1]!.id, { ...ball, size: 2 } as Element));
    step(() => maze.deleteSelected());
    step(() => maze.open('R 3 3\n', 'other'));
    step(() => maze.clear());
    expect(states).toEqual(['', 'W 0 0 0 4\n', 'W 0 0 0 4\nB 1 1\n', 'W 0 0 0 4\nB 1 1 2\n', 'W 0 0 0 4\n', 'R 3 3\n', '']);
    for (let i = states.length - 2; i >= 0; i--) {
      maze.undo();
      expect(maze.text).toBe(states[i]);
    }
    expect(maze.canUndo).toBe(false);
    maze.undo();
    for (const state of states.slice(1)) {
      maze.redo();
      expect(maze.text).toBe(state);
    }
    expect(maze.canRedo).toBe(false);
    maze.undo();
    maze.add(ball);
    expect(maze.canRedo).toBe(false);
  });
  it('takes a whole drag back at once, and one that is given up leaves nothing', () => {
    const maze = new MazeDocument();
    const item = maze.add(ball)!;
    maze.beginDrag();
    for (const x of [2, 3, 4]) maze.change(item.id, { ...ball, at: [x, 0] } as Element);
    maze.endDrag();
    expect(maze.text).toBe('B 4 0\n');
    maze.undo();
    expect(maze.text).toBe('B 1 1\n');
    maze.redo();
    maze.beginDrag();
    maze.change(item.id, { ...ball, at: [9, 9] } as Element);
    maze.cancelDrag();
    expect(maze.text).toBe('B 4 0\n');
    maze.beginDrag();
    maze.endDrag();
    maze.undo();
    expect(maze.text).toBe('B 1 1\n');
  });
  it('refuses what no map may have', () => {
    const maze = new MazeDocument();
    expect(maze.add({ kind: 'wall', from: [1, 1], to: [1, 1] })).toBeUndefined();
    expect(maze.add({ kind: 'ball', at: [NaN, 0], size: 1 })).toBeUndefined();
    const item = maze.add(ball)!;
    expect(maze.change(item.id, { kind: 'ball', at: [0, 0], size: 0 })).toBe(false);
    expect(maze.change(item.id, { kind: 'ball', at: [0, 2e6], size: 1 })).toBe(false);
    expect(maze.text).toBe('B 1 1\n');
    expect(isGood({ kind: 'robot', at: [0, 0], heading: Infinity })).toBe(false);
  });
  it('knows whether something is only here', () => {
    const maze = new MazeDocument();
    maze.start('R 0 0\n', 'm', true);
    expect(maze.isUnsaved).toBe(false);
    maze.add(ball);
    expect(maze.isUnsaved).toBe(true);
    maze.undo();
    expect(maze.isUnsaved).toBe(false);
    maze.redo();
    maze.keep();
    expect(maze.isUnsaved).toBe(false);
    maze.start('R 1 1\n', 'draft', false);
    expect(maze.isUnsaved).toBe(true);
  });
  it('selects, and undoing brings back what was selected', () => {
    const maze = new MazeDocument();
    const one = maze.add(wall)!;
    const two = maze.add(ball)!;
    expect(maze.selected).toEqual([two]);
    maze.toggle(one.id);
    expect(maze.selected).toEqual([one, two]);
    maze.deleteSelected();
    expect(maze.isEmpty).toBe(true);
    maze.undo();
    expect(maze.selected).toEqual([one, two]);
    maze.selectAll();
    maze.toggle(one.id);
    expect(maze.selected).toEqual([two]);
  });
});

describe('geometry', () => {
  it('has x up and y to the left', () => {
    const frame = new MapFrame(200, 100);
    frame.scale = 10;
    expect(frame.place([0, 0])).toEqual([100, 50]);
    expect(frame.place([1, 2])).toEqual([80, 40]);
    expect(frame.point(80, 40)).toEqual([1, 2]);
    frame.fit({ low: [-5, -10], high: [5, 10] }, [0, 0, 0, 0]);
    expect(frame.scale).toBe(10);
    const before = frame.point(30, 70);
    frame.zoom(3, 30, 70, 0.1, 1000);
    expect(frame.point(30, 70)[0]).toBeCloseTo(before[0], 9);
    expect(frame.point(30, 70)[1]).toBeCloseTo(before[1], 9);
  });
  it('snaps ends to ends, then to the grid', () => {
    const items = [itemOf({ kind: 'wall', from: [0.1, 0.1], to: [5.03, 5] })];
    const near = { grid: 1, reach: 0.5 };
    expect(snapEnd([4.8, 5.1], items, near)).toEqual([5.03, 5]);
    expect(snapEnd([4.8, 5.1], items, near, items[0]!.id)).toEqual([5, 5]);
    expect(snapEnd([3.4, 2.6], items, near)).toEqual([3, 3]);
    expect(snapPoint([0.31, -0.04], 0.1)).toEqual([0.3, 0]);
    expect(snapPoint([0.31449, -0.0004], undefined)).toEqual([0.314, 0]);
    expect(snapHeading(1.5, 1)).toBe(Math.PI / 2);
    expect(snapHeading(0.05, 1)).toBe(0);
    expect(snapHeading(7, undefined)).toBeCloseTo(7 - 2 * Math.PI, 3);
  });
  it('tells how far things are, and moves them', () => {
    expect(distance({ kind: 'wall', from: [0, 0], to: [0, 4] }, [1.1, 2])).toBeCloseTo(1);
    expect(distance({ kind: 'ball', at: [0, 0], size: 2 }, [3, 0])).toBe(2);
    expect(distance({ kind: 'cube', at: [0, 0], size: 2, height: 1 }, [0.9, 0.9])).toBe(0);
    expect(moved({ kind: 'line', from: [0.1, 0], to: [0.2, 0] }, 0.2, 0)).toEqual({ kind: 'line', from: [0.3, 0], to: [0.4, 0] });
    expect(bounds([{ kind: 'ball', at: [1, 1], size: 2 }, { kind: 'line', from: [0, -3], to: [5, 0] }])).toEqual({ low: [0, -3], high: [5, 2] });
    expect(bounds([])).toBeUndefined();
  });
});

describe('numbers', () => {
  it('of every kind can be typed', () => {
    for (const element of elementsOf(parse(ALL))) {
      for (const field of fieldsOf(element)) {
        expect(fieldsOf(field.with(field.value + 0.5)).some((other) => other.value === field.value + 0.5), field.label).toBe(true);
      }
    }
    const cube = elementsOf(parse('C 0 0 2'))[0]!;
    expect(fieldsOf(cube)[2]!.with(3)).toEqual({ kind: 'cube', at: [0, 0], size: 3, height: 3 });
  });
  it('of headings are degrees', () => {
    expect([degrees(Math.PI / 2), radians(90), radians(0), degrees(radians(33.3))]).toEqual([90, Math.PI / 2, 0, 33.3]);
  });
});

describe('the picture of a maze', () => {
  it('lies about the origin, has a size of whole decimetres, and is not too large', () => {
    for (const text of ['W 1 1 2 1', 'W -20 -20 20 20\nW 20 20 -20 20', 'W 0 0 1000 0\nB 3 3', 'B 0 0 0.1', '']) {
      const paper = paperFor(elementsOf(parse(text)));
      expect(paper.size.map((side) => Math.abs(side * 10 - Math.round(side * 10))).every((rest) => rest < 1e-6), text).toBe(true);
      expect(Math.max(paper.width, paper.height)).toBeLessThanOrEqual(4096);
      for (const [side, pixels] of [[paper.size[0], paper.width], [paper.size[1], paper.height]] as const) {
        expect(Math.abs(pixels - side * paper.scale), text).toBeLessThanOrEqual(0.5);
      }
    }
    const paper = paperFor(elementsOf(parse('W 0 0 10 4')));
    expect(paper.size[1]).toBeGreaterThan(20);
    expect(paper.size[0]).toBeGreaterThan(8);
    expect(paper.size[0]).toBeLessThan(10);
  });
  it('says its size in its name', () => {
    expect(nameWithSize('maze', [44, 42.5])).toBe('maze 44x42.5 m.png');
    expect(nameWithSize('maze 44x42.5 m', [10, 8])).toBe('maze 10x8 m.png');
  });
});

describe('the running world', () => {
  const scene = (walls: number[][], map?: string) =>
    ({ walls: walls.map((points) => ({ points, height: 1, colour: 0 })), map: map === undefined ? undefined : { text: map, width: 0, height: 0 } }) as unknown as Scene;
  const long = [0, -0.1, 4, -0.1, 4, 0.1, 0, 0.1];

  it('gives its map, or its straight walls, or nothing', () => {
    expect(mapOfScene(scene([long], 'R 1 1 # here\n'))).toBe('R 1 1 # here\n');
    expect(mapOfScene(scene([long, [0, 0, 1, 0, 1, 1, 0, 1]]))).toBe('W 0 0 4 0\nW 0.5 0.5\n');
    expect(mapOfScene(scene([long, [0, 0, 1, 0, 0, 1]]))).toBe('');
    expect(mapOfScene(scene([]))).toBe('');
  });
  it('has walls at any angle', () => {
    const c = Math.SQRT1_2;
    const points = [[0, -0.1], [3, -0.1], [3, 0.1], [0, 0.1]].flatMap(([x, y]) => [c * (x! - y!), c * (x! + y!)].map(Math.fround));
    expect(straightWall(points)).toEqual({ kind: 'wall', from: [0, 0], to: [2.121, 2.121] });
    expect(straightWall([0, 0, 1, 0, 1.5, 1, 0, 1])).toBeUndefined();
  });
  it('names its maps', () => {
    expect([stemOf('maps/yard.txt'), stemOf('C:\\x\\Mein Bild.PNG'), stemOf('soccer'), stemOf('.txt')]).toEqual(['yard', 'Mein Bild', 'soccer', 'maze']);
  });
});

describe('a draft', () => {
  afterEach(() => vi.unstubAllGlobals());
  it('outlives the page, and what is broken is none', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key),
    });
    expect(loadDraft()).toBeUndefined();
    expect(keepDraft({ name: 'a', text: 'R 0 0\n' })).toBe(true);
    expect(loadDraft()).toEqual({ name: 'a', text: 'R 0 0\n' });
    for (const key of kept.keys()) kept.set(key, '{"text":3}');
    expect(loadDraft()).toBeUndefined();
    keepDraft(undefined);
    expect(kept.size).toBe(0);
    vi.stubGlobal('localStorage', { setItem: () => { throw new Error('full'); } });
    expect(keepDraft({ name: 'a', text: '' })).toBe(false);
  });
});

describe('what is wrong with a map', () => {
  afterEach(() => vi.unstubAllGlobals());
  const speak = (language: 'en' | 'pt') => {
    vi.stubGlobal('document', { documentElement: {}, querySelectorAll: () => [] });
    setLanguage(language);
  };
  const error = 'a b.txt:1:8: expected 4 fields or more: W x1 y1 x2 y2, or W x y, got 3 of them\n'
    + 'a b.txt:2:5: expected a number of metres, at most 1000000 from 0, got "two"\n... and 3 more errors';

  it('is told with line and column', () => {
    speak('en');
    expect(mapErrorLines(error)).toEqual([
      'Line 1, column 8: expected 4 fields or more: W x1 y1 x2 y2, or W x y, got 3 of them',
      'Line 2, column 5: expected a number of metres, at most 1000000 from 0, got "two"', '... and 3 more errors',
    ]);
    expect(mapErrorLines('x.png: expected a whole PNG picture, got an error: unexpected end')).toEqual([
      'Expected a whole PNG picture, got an error: unexpected end',
    ]);
    expect(mapErrorLines('Another scene is being loaded.')).toEqual(['Another scene is being loaded.']);
  });
  it('is told in Portuguese', () => {
    speak('pt');
    expect(mapErrorLines(error)).toEqual([
      'Linha 1, coluna 8: esperava 4 campos ou mais: W x1 y1 x2 y2, or W x y, veio só 3',
      'Linha 2, coluna 5: esperava um número de metros, no máximo 1000000 a partir de 0, veio "two"', '... e mais 3 erros',
    ]);
    const places = '(1, -2.5), (3, 4) to (3, 5), (0, 0) m (+ 3: (-9, 8) to (7, -6) m)';
    expect(mapNote(`black ink was left out: 12 px at ${places}`)).toBe(`tinta preta ignorada: 12 px em ${places}`);
    expect(mapNote(`maze.png: black ink was left out: 12 px at ${places}`)).toBe(`maze.png: tinta preta ignorada: 12 px em ${places}`);
    expect(mapNote('a room that is closed on paper is open at (1, 2) m (+ 1)')).toBe('uma sala fechada no papel está aberta em (1, 2) m (+ 1)');
    expect(mapNote('a.png: no size was given, so that the picture is taken to be 40 x 26.6667 m')).toBe('a.png: nenhum tamanho foi dado, então a imagem vale 40 x 26.6667 m');
    expect(mapNote('there is no robot in the map: one is put at the origin')).toBe('não há robô no mapa: um é posto na origem');
    expect(mapNote('maze.png: something new')).toBe('maze.png: something new');
    speak('en');
  });
});

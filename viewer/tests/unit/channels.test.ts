import { describe, expect, it } from 'vitest';
import { ChannelTable, groupOf, MOST_CHANNELS, search } from '../../src/state/channels';
import { rowsOf } from '../../src/state/profile';

const channel = (name: string, unit = 'm', meaning = 'position') => ({ name, unit, meaning, low: -Infinity, high: Infinity });
const LIST = {
  generation: 3, left_out: 0,
  channels: [channel('time', 's', 'simulated time'), channel('robot.blue-1.x'), channel('robot.blue-1.wheel.left.load', 'N', 'force of the ground'), channel('ball.ball.x')],
};
const values = (channels: number[], of: number[], generation = 3) => ({ generation, step: 7, time_s: 0.5, channels, values: of, left_out: 0 });

describe('channels', () => {
  it('are asked for by number once their list is there, and only when something changes', () => {
    const table = new ChannelTable();
    expect(table.question()).toBeUndefined();
    table.want('plots', ['robot.blue-1.x', 'ball.ball.x']);
    expect(table.question()).toEqual({ list: true, patterns: '', channels: [] });
    expect(table.question()).toBeUndefined();
    table.takeList(LIST, ['blue-1', 'ball']);
    expect(table.question()).toEqual({ list: true, patterns: '', channels: [1, 3] });
    table.want('vehicle', ['ball.ball.x', 'no.such.channel']);
    expect(table.question()).toBeUndefined();
    table.want('plots', []);
    expect(table.question()).toEqual({ list: true, patterns: '', channels: [3] });
    table.want('vehicle', []);
    expect(table.question()).toEqual({ list: false, patterns: '', channels: [] });
    // Another scene has other numbers.
    table.want('plots', ['time']);
    table.begin();
    expect(table.question()).toEqual({ list: true, patterns: '', channels: [] });
  });

  it('have the values that were told last, whatever their order, and none of another scene', () => {
    const table = new ChannelTable();
    table.takeList(LIST, ['blue-1', 'ball']);
    expect(table.takeValues(values([1, 3], [0.1, 0.3]))).toBe(true);
    expect(table.value('ball.ball.x')).toBe(0.3);
    expect(table.takeValues(values([], [0.2, NaN]))).toBe(true);
    expect(table.value('robot.blue-1.x')).toBe(0.2);
    expect(table.value('ball.ball.x')).toBeUndefined();
    expect(table.value('time')).toBeUndefined();
    expect(table.takeValues(values([1], [9], 4))).toBe(false);
    expect(table.value('robot.blue-1.x')).toBe(0.2);
    expect(table.timeS).toBe(0.5);
  });

  it('are no more than the simulator tells one client, and what is left out is known', () => {
    const table = new ChannelTable();
    const names = Array.from({ length: MOST_CHANNELS + 9 }, (_, i) => `robot.a.sensor.lidar.distance.${i}`);
    table.takeList({ generation: 1, left_out: 0, channels: names.map((name) => channel(name)) }, ['a']);
    table.want('plots', names);
    expect(table.question()!.channels.length).toBe(MOST_CHANNELS);
    expect(table.tooMany).toBe(9);
  });

  it('are found by words of their names and meanings, or listed by what they belong to', () => {
    const table = new ChannelTable();
    table.takeList(LIST, ['blue-1', 'ball']);
    const names = (text: string, group?: string) => search(table.list, text, group).map(({ name }) => name);
    expect(names('LOAD blue')).toEqual(['robot.blue-1.wheel.left.load']);
    expect(names('ground')).toEqual(['robot.blue-1.wheel.left.load']);
    expect(names('position')).toEqual(['robot.blue-1.x', 'ball.ball.x']);
    expect(names('', 'robot.blue-1')).toEqual(['robot.blue-1.x', 'robot.blue-1.wheel.left.load']);
    expect(names('').length).toBe(4);
    expect(table.find('robot.blue-1.wheel.left.load')).toMatchObject({ group: 'robot.blue-1', own: 'wheel.left.load', unit: 'N' });
  });

  it('belong to bodies with dots in their names, too', () => {
    expect(groupOf('robot.a.b.x', ['a', 'a.b'])).toBe('robot.a.b');
    expect(groupOf('zone.left.goals', [])).toBe('zone.left');
    expect(groupOf('event.impact', [])).toBe('');
  });
});

describe('where the time goes', () => {
  it('has a row a stage and a row a part, with shares of one whole', () => {
    const part = (stage: string, name: string, time_s: number) => ({ stage, part: name, calls: 10, time_s });
    const rows = rowsOf({ generation: 1, steps: 10, parts: [part('commands', '', 1), part('contacts', 'solver', 2), part('contacts', 'advance', 1)] });
    expect(rows.map(({ stage, part: name }) => [stage, name])).toEqual([['commands', ''], ['contacts', ''], ['', 'solver'], ['', 'advance']]);
    expect(rows.map(({ share }) => share)).toEqual([0.25, 0.75, 0.5, 0.25]);
    expect(rows[1]!.calls).toBeUndefined();
    expect(rows[2]!.nsAStep).toBeCloseTo(2e8, 3);
  });
});

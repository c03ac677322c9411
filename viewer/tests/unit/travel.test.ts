import { describe, expect, it } from 'vitest';
import { TimelineMode, type Timeline } from '../../src/proto/live.js';
import { TimeAxis } from '../../src/state/axis';
import { filmName, filmRate, filmType } from '../../src/state/film';
import { readSeed, readSettings, Travel } from '../../src/state/travel';
import { readList, Recordings } from '../../src/net/recordings';
import { sizeText, timeText } from '../../src/text/time';

const timeline = (more: Partial<Timeline> = {}): Timeline => ({
  mode: TimelineMode.LIVE, begin_s: 0, end_s: 10, at_s: 10, step: 10_000, speed: 1, playing: true, file: '', may_take_over: false, fidelity: 0,
  fidelity_reason: '', course: 1, kept_s: 60, ...more,
});

describe('going to other instants', () => {
  it('tells what a message changed', () => {
    const travel = new Travel();
    expect(travel.isOffered).toBe(false);
    expect(travel.take(timeline())).toEqual({ mode: true, course: true, origin: false });
    expect(travel.take(timeline({ end_s: 11 }))).toEqual({ mode: false, course: false, origin: false });
    expect(travel.take(timeline({ mode: TimelineMode.PAST }))).toMatchObject({ mode: true, course: false });
    const origin = { file: 'a.mcap', time_s: 3, step: 3000, at_s: 11 };
    expect(travel.take(timeline({ course: 2, origin }))).toEqual({ mode: true, course: true, origin: true });
    expect(travel.take(timeline({ course: 2, origin: { ...origin } })).origin).toBe(false);
  });
  it('is not offered by a live run that keeps nothing, but by every recording', () => {
    const travel = new Travel();
    travel.take(timeline({ kept_s: 0 }));
    expect(travel.isOffered).toBe(false);
    travel.take(timeline({ kept_s: 0, mode: TimelineMode.REPLAY }));
    expect(travel.isOffered).toBe(true);
    expect(travel.span).toEqual([0, 10]);
  });
  it('of a run or of a log comes from what goes on, of a recording does not', () => {
    const travel = new Travel();
    for (const [mode, file, expected] of [[TimelineMode.PAST, '', true], [TimelineMode.PAST, 'origin.mcap', true], [TimelineMode.REPLAY, '', true], [TimelineMode.REPLAY, 'a.mcap', false], [TimelineMode.LIVE, '', false]] as const) {
      travel.take(timeline({ mode, file }));
      expect(travel.comesFromLive, `${mode} ${file}`).toBe(expected);
    }
  });
  it('shows all that is kept of a live run, and some room where that is little', () => {
    const travel = new Travel();
    travel.take(timeline({ end_s: 4 }));
    expect(travel.span).toEqual([-6, 4]);
    travel.take(timeline({ begin_s: 40, end_s: 101 }));
    expect(travel.span).toEqual([40, 101]);
  });
  it('keeps how fast it was played last, and plays either way', () => {
    const travel = new Travel();
    travel.take(timeline({ mode: TimelineMode.PAST, speed: -5 }));
    expect([travel.rate, travel.direction, travel.isPlaying]).toEqual([5, -1, true]);
    travel.take(timeline({ mode: TimelineMode.PAST, speed: -5, playing: false }));
    expect([travel.rate, travel.direction, travel.isPlaying]).toEqual([5, 1, false]);
    expect([travel.nextRate(1), travel.nextRate(-1)]).toEqual([10, 2]);
    travel.rate = 100;
    expect(travel.nextRate(1)).toBe(100);
  });
  it('knows that an instant is gone to, that of 0 s too', () => {
    const travel = new Travel();
    travel.take(timeline({ seeking_s: 0 }));
    expect(travel.seekingS).toBeUndefined();
    travel.take(timeline({ seeking_s: 0, has_seeking_s: 'seeking_s' }));
    expect(travel.seekingS).toBe(0);
  });
});

describe('what is typed for a take-over', () => {
  it('is read line by line', () => {
    expect(readSettings('')).toEqual({ set: [] });
    expect(readSettings('robots.blue-1.mass = 0.5\n\n# a comment\n ball.mass=0.04 \n')).toEqual({ set: ['robots.blue-1.mass=0.5', 'ball.mass=0.04'] });
    expect(readSettings('a = [1, 2]')).toEqual({ set: ['a=[1, 2]'] });
    expect(readSettings('a = 1\nmass 0.5')).toEqual({ line: 2, got: 'mass 0.5' });
    expect(readSettings('a =')).toEqual({ line: 1, got: 'a =' });
    expect(readSettings(Array.from({ length: 65 }, (_, i) => `k${i} = 1`).join('\n'))).toEqual({ line: 65, got: 'k64 = 1' });
  });
  it('may have a seed', () => {
    expect(readSeed(' ')).toEqual({ seed: undefined });
    expect(readSeed('0')).toEqual({ seed: 0 });
    for (const bad of ['-1', '1.5', 'x', '99999999999999999999', '1e3']) expect(readSeed(bad), bad).toBeUndefined();
  });
});

describe('the axis of a track', () => {
  it('zooms around a place and stays within what there is', () => {
    const axis = new TimeAxis();
    axis.setSpan(0, 100);
    axis.zoom(0.5, 0.1);
    expect(axis.shown).toEqual([45, 55]);
    expect(axis.time(0)).toBe(45);
    expect(axis.share(50)).toBeCloseTo(0.5);
    axis.pan(-10);
    expect(axis.shown).toEqual([0, 10]);
    axis.zoom(0, 1000);
    expect(axis.isZoomed).toBe(false);
    expect(axis.time(2)).toBe(100);
  });
  it('follows an instant that leaves what is seen', () => {
    const axis = new TimeAxis();
    axis.setSpan(0, 100);
    axis.zoom(0, 0.1);
    axis.follow(50);
    expect(axis.share(50)).toBeCloseTo(0.5);
    axis.follow(45.1);
    expect(axis.share(45.1)).toBeCloseTo(0.04);
  });
  it('has ticks at round instants', () => {
    const axis = new TimeAxis();
    const every = (span: number, width: number) => {
      axis.setSpan(0, span);
      return axis.ticks(width).everyS;
    };
    expect([every(60, 800), every(1, 800), every(3600, 800), every(0.1, 400)]).toEqual([10, 0.1, 600, 0.02]);
    axis.setSpan(0, 60);
    expect(axis.ticks(800).times).toEqual([0, 10, 20, 30, 40, 50, 60]);
  });
});

describe('instants and sizes in words', () => {
  it('are short', () => {
    expect([timeText(9.994, 2), timeText(59.999, 2), timeText(75.5, 1), timeText(3661, 0), timeText(-70, 0)]).toEqual(['9.99 s', '1:00.00', '1:15.5', '1:01:01', '−1:10']);
    expect([sizeText(999), sizeText(1234), sizeText(45_600_000), sizeText(2.5e9)]).toEqual(['999 B', '1.2 kB', '46 MB', '2.5 GB']);
  });
});

describe('films', () => {
  it('are of the first format that a browser has', () => {
    expect(filmType((type) => type.includes('webm'))).toBe('video/webm;codecs=vp9');
    expect(filmType(() => true)).toContain('mp4');
    expect(filmType(() => false)).toBeUndefined();
  });
  it('are called after the scene and the instant', () => {
    expect(filmName('soccer', 12.5, 'video/webm;codecs=vp9')).toBe('rolima-soccer-12.50s.webm');
    expect(filmName('../my map.txt', 0, 'video/mp4')).toBe('rolima-my-map-txt-0.00s.mp4');
    expect(filmName(undefined, 1, 'video/mp4')).toBe('rolima-film-1.00s.mp4');
    expect(filmRate(100, 100)).toBe(2_000_000);
    expect(filmRate(4000, 3000)).toBe(16_000_000);
  });
});

describe('the folder for recordings', () => {
  it('has addresses with the token', () => {
    const recordings = new Recordings(new URL('http://host:1/a/?token=t&role=watch&detail=low'));
    expect(recordings.address('my run.mcap')).toBe('http://host:1/a/recordings/my%20run.mcap?token=t&role=watch');
  });
  it('is told as a list, of which what is not understood is left out', () => {
    expect(readList([{ name: 'a.mcap', bytes: 3, kind: 'recording', more: 1 }, { name: 7 }, null, 'x', { name: 'p.txt', bytes: 1, kind: 'path' }]))
      .toEqual([{ name: 'a.mcap', bytes: 3, kind: 'recording' }, { name: 'p.txt', bytes: 1, kind: 'path' }]);
    expect(readList({ files: [] })).toEqual([]);
  });
});

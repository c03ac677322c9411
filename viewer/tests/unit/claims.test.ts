import { describe, expect, it } from 'vitest';
import { Claims, type Holder } from '../../src/input/claims';

const all = (holder: Holder) => () => holder;

describe('claims', () => {
  it('drive only after the simulator has said so', () => {
    const claims = new Claims();
    expect(claims.turn(3, 'nobody', false, 0)).toBe('rest');
    expect(claims.turn(3, 'nobody', true, 0)).toBe('claim');
    claims.ask(3, 0);
    expect(claims.turn(3, 'nobody', true, 10)).toBe('wait');
    claims.heard(all('me'));
    expect(claims.turn(3, 'me', true, 20)).toBe('drive');
    expect(claims.turn(3, 'me', false, 30)).toBe('drive');
  });

  it('that lost the race do not drive, and ask again when the robot is free', () => {
    const claims = new Claims();
    claims.ask(3, 0);
    claims.heard(all('other'));
    expect(claims.turn(3, 'other', true, 10)).toBe('blocked');
    expect(claims.turn(3, 'other', false, 10)).toBe('rest');
    claims.heard(all('nobody'));
    expect(claims.turn(3, 'nobody', false, 20)).toBe('rest');
    expect(claims.turn(3, 'nobody', true, 20)).toBe('claim');
  });

  it('that were taken away are no longer driven', () => {
    const claims = new Claims();
    claims.ask(3, 0);
    claims.heard(all('me'));
    claims.heard(all('other'));
    expect(claims.turn(3, 'other', true, 10)).toBe('blocked');
  });

  it('without an answer are asked again', () => {
    const claims = new Claims();
    claims.ask(3, 0);
    expect(claims.turn(3, 'nobody', true, 900)).toBe('wait');
    expect(claims.turn(3, 'nobody', true, 1100)).toBe('claim');
  });

  it('given back stay so while the list of drivers is still the old one', () => {
    const claims = new Claims();
    expect(claims.giveBack([3])).toEqual([3]);
    expect(claims.giveBack([3])).toEqual([]);
    claims.heard(all('me')); // the list changed for another robot
    expect(claims.turn(3, 'me', false, 0)).toBe('rest');
    claims.heard(all('nobody'));
    expect(claims.turn(3, 'nobody', true, 10)).toBe('claim');
  });

  it('taken up again at once survive the news of having been given back', () => {
    const claims = new Claims();
    claims.giveBack([3]);
    expect(claims.turn(3, 'me', true, 0)).toBe('claim');
    claims.ask(3, 0);
    claims.heard(all('nobody'));
    expect(claims.turn(3, 'nobody', true, 10)).toBe('wait');
    claims.heard(all('me'));
    expect(claims.turn(3, 'me', true, 20)).toBe('drive');
  });

  it('give back what was asked for and not yet answered, and keep the selected one', () => {
    const claims = new Claims();
    claims.ask(5, 0);
    expect(claims.giveBack([3, 4], 4).sort()).toEqual([3, 5]);
    expect(claims.turn(4, 'me', false, 0)).toBe('drive');
  });

  it('forget everything with a new connection', () => {
    const claims = new Claims();
    claims.giveBack([3]);
    claims.ask(4, 0);
    claims.forget();
    expect(claims.turn(3, 'me', false, 0)).toBe('drive');
    expect(claims.turn(4, 'nobody', true, 1)).toBe('claim');
  });
});

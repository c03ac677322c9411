import { describe, expect, it } from 'vitest';
import { PbfReader, PbfWriter } from 'pbf';
import { Backoff } from '../../src/net/backoff';
import { decode, encode } from '../../src/net/codec';
import { accessAddress, pictureAddress, socketAddress } from '../../src/net/address';
import { readClientMessage, writeServerMessage } from '../../src/proto/live.js';

describe('the wire', () => {
  it('finds the socket beside the page and passes the token on', () => {
    expect(socketAddress(new URL('http://127.0.0.1:8008/'))).toBe('ws://127.0.0.1:8008/ws');
    expect(socketAddress(new URL('https://a.example/lab/index.html?token=a%20b&detail=low#x'))).toBe(
      'wss://a.example/lab/ws?token=a+b',
    );
  });

  it('passes on that less is asked for than the token is for', () => {
    expect(socketAddress(new URL('http://a.example/?token=x&role=watch'))).toBe('ws://a.example/ws?token=x&role=watch');
  });

  it('asks for access, and for pictures as their addresses come, with the same token', () => {
    const page = new URL('https://a.example/lab/index.html?token=secret&detail=low#x');
    expect(accessAddress(page)).toBe('https://a.example/lab/access?token=secret');
    expect(accessAddress(new URL('http://127.0.0.1:8008/'))).toBe('http://127.0.0.1:8008/access');
    expect(pictureAddress('pictures/my%20maze%23%3F%2F1.svg', page)).toBe(
      'https://a.example/lab/pictures/my%20maze%23%3F%2F1.svg?token=secret',
    );
    // The token is nobody else's.
    expect(pictureAddress('https://b.example/x.svg', page)).toBe('https://b.example/x.svg');
  });

  it('skips bytes that are no message', () => {
    expect(decode(new Uint8Array([0xff, 0xff, 0xff]).buffer)).toBeUndefined();
    expect(decode(new ArrayBuffer(0))).toBeUndefined();
    for (let i = 0; i < 2000; i++) {
      const bytes = Uint8Array.from({ length: i % 97 }, (_, k) => (i * 31 + k * k * 17) % 256);
      expect(() => decode(bytes.buffer)).not.toThrow();
    }
  });

  it('reads what a server writes', () => {
    const writer = new PbfWriter();
    writeServerMessage({ frame: { generation: 3, step: 2 ** 40, key: true, x: new Float32Array([1.5]) } }, writer);
    const bytes = writer.finish();
    const message = decode(bytes.slice().buffer as ArrayBuffer);
    expect(message?.kind).toBe('frame');
    expect(message?.frame).toMatchObject({ generation: 3, step: 2 ** 40, key: true, x: [1.5] });
  });

  it('writes what a server reads, also choices that are zero', () => {
    const control = readClientMessage(new PbfReader(encode({ control: { speed: 0 } })));
    expect(control.control?.kind).toBe('speed');
    expect(control.control?.speed).toBe(0);
    const drive = readClientMessage(new PbfReader(encode({ drive: { body: 0, left: -2.5, right: 0 } })));
    expect(drive.drive).toMatchObject({ body: 0, left: -2.5, right: 0 });
  });
});

describe('waiting before the next attempt', () => {
  it('doubles up to a bound and starts over', () => {
    const backoff = new Backoff(() => 0);
    const waits = Array.from({ length: 8 }, () => backoff.next());
    expect(waits.slice(0, 4)).toEqual([250, 500, 1000, 2000]);
    expect(waits[7]).toBe(5000);
    backoff.reset();
    expect(backoff.next()).toBe(250);
  });
});

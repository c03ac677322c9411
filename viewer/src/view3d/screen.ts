// The canvas and the renderer that draws on it, with as much detail as asked.

import * as THREE from 'three';
import type { Level } from '../state/detail';

/** Pictures that may be on their way through the graphics card. With more, the page's thread would wait for it instead of
 * listening to hands. */
const MOST_UNDER_WAY = 2;
/** A picture that is not done by then, ms, is not waited for: something is wrong with the telling. */
const LONGEST_MS = 5000;

interface Picture {
  done: WebGLSync;
  begun: number;
}

export class Screen {
  canvas: HTMLCanvasElement;
  renderer: THREE.WebGLRenderer;
  private underWay: Picture[] = [];

  /** Puts a canvas into the host. Throws where the browser offers no WebGL. */
  constructor(
    private readonly host: HTMLElement,
    private level: Level,
  ) {
    ({ canvas: this.canvas, renderer: this.renderer } = this.open());
    host.replaceChildren(this.canvas);
  }

  setLevel(level: Level): void {
    const before = this.level;
    this.level = level;
    if (level.smooth === before.smooth) {
      this.renderer.setPixelRatio(this.ratio);
      return;
    }
    // A context is smoothed or is not, for good; another one takes everything over.
    const old = this.renderer;
    try {
      ({ canvas: this.canvas, renderer: this.renderer } = this.open());
    } catch {
      // The browser gives no other one: then edges stay as they are.
      this.level = { ...level, smooth: before.smooth };
      old.setPixelRatio(this.ratio);
      return;
    }
    this.host.replaceChildren(this.canvas);
    this.underWay = [];
    old.dispose();
    old.forceContextLoss();
    this.resize();
  }

  /** Pixels of a picture for each one of the page, along an edge. */
  get ratio(): number {
    return Math.min(Math.max(1, window.devicePixelRatio), this.level.ratio);
  }

  get width(): number {
    return this.canvas.clientWidth;
  }

  get height(): number {
    return this.canvas.clientHeight;
  }

  /** Whether the graphics card has enough to do. */
  get busy(): boolean {
    const gl = this.gl;
    const now = performance.now();
    this.underWay = this.underWay.filter(({ done, begun }) => {
      const waits = now - begun < LONGEST_MS && gl.getSyncParameter(done, gl.SYNC_STATUS) === gl.UNSIGNALED;
      if (!waits) gl.deleteSync(done);
      return waits;
    });
    return this.underWay.length >= MOST_UNDER_WAY;
  }

  /** Draws all over the canvas, or one half of it after the other. */
  render(scene: THREE.Scene, camera: THREE.Camera, half?: 'left' | 'right'): void {
    const { renderer, width, height } = this;
    const left = half === 'right' ? width / 2 : 0;
    renderer.setScissorTest(half !== undefined);
    renderer.setViewport(left, 0, half ? width / 2 : width, height);
    if (half) renderer.setScissor(left, 0, width / 2, height);
    renderer.render(scene, camera);
    if (half === 'left') return;
    const done = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.gl.flush();
    if (done) this.underWay.push({ done, begun: performance.now() });
  }

  /** Follows the size of the host; false where nothing of it is seen. */
  resize(): boolean {
    const { width, height } = this;
    if (width === 0 || height === 0) return false;
    this.renderer.setSize(width, height, false);
    return true;
  }

  dispose(): void {
    this.renderer.dispose();
  }

  private get gl(): WebGL2RenderingContext {
    return this.renderer.getContext() as WebGL2RenderingContext;
  }

  private open(): { canvas: HTMLCanvasElement; renderer: THREE.WebGLRenderer } {
    const canvas = document.createElement('canvas');
    canvas.tabIndex = -1;
    // Nothing shines through: without graphics cards, mixing the picture with what lies below it took longer than drawing it.
    const context = canvas.getContext('webgl2', {
      alpha: false, antialias: this.level.smooth, stencil: false, powerPreference: 'high-performance',
    });
    if (!context) throw new Error('the browser offers no WebGL 2');
    const renderer = new THREE.WebGLRenderer({ canvas, context });
    renderer.setPixelRatio(this.ratio);
    renderer.shadowMap.type = THREE.PCFShadowMap;
    return { canvas, renderer };
  }
}

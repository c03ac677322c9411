// Paths on the ground, as lines or as arrows: pieces in a ring, so that the oldest vanish first.

import * as THREE from 'three';
import type { Ground } from '../state/ground';
import { pictureHeights, pictureNodes } from '../state/slopes';
import type { Step } from '../state/trace';

const MOST = 12_000;
/** One arrow for every so much of the way, in reaches of the body, and the least width of an arrow. */
export const ARROW_EVERY = 0.95;
export const ARROW_WIDTH = 0.066;

export type TraceStyle = 'off' | 'line' | 'arrows';

export const WHITE = new THREE.Color(0xffffff);

/** Heights of the nodes, the terrain's corners, and how many nodes there are: none on a plane. */
const GROUND = `
uniform highp sampler2D heights; uniform vec4 corner; uniform ivec2 nodes;
float groundAt(vec2 at) {
  if (nodes.x < 2) return 0.0;
  vec2 cell = clamp((at - corner.xy) / (corner.zw - corner.xy), 0.0, 1.0) * vec2(nodes - 1);
  ivec2 low = min(ivec2(cell), nodes - 2);
  vec2 part = cell - vec2(low);
  float a = texelFetch(heights, low, 0).r, b = texelFetch(heights, low + ivec2(1, 0), 0).r;
  float c = texelFetch(heights, low + ivec2(0, 1), 0).r, d = texelFetch(heights, low + ivec2(1, 1), 0).r;
  return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}`;

/** With TIMED, a piece has an instant and all have one colour: what is done is seen better than what is to come. */
const VERTEX = `
attribute vec4 piece;
uniform float width; uniform float arrows; uniform float lift;
#ifdef TIMED
attribute float done; uniform float now; uniform vec3 colour;
#else
attribute vec4 paint;
#endif
${GROUND}
varying vec4 tint;
void main() {
  vec2 from = piece.xy; vec2 to = piece.zw;
  vec2 along = to - from;
  float len = length(along);
  along = len > 1e-6 ? along / len : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  // A line piece spans its two ends; an arrow points to the second with a size of its own.
  vec2 line = mix(from, to, position.x) + along * (position.x - 0.5) * width * 0.5 + across * position.y * width;
  vec2 head = to + along * (position.x - 1.0) * width * 4.0 + across * position.y * width * 3.2 * (1.0 - position.x);
  vec2 at = arrows > 0.5 ? head : line;
#ifdef TIMED
  tint = vec4(colour, done <= now ? 0.95 : 0.32);
#else
  tint = vec4(paint.rgb, paint.a > 0.5 ? 0.75 : 0.9);
#endif
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, lift + groundAt(at), 1.0);
}`;

const FRAGMENT = `
varying vec4 tint;
void main() {
  gl_FragColor = tint;
  #include <colorspace_fragment>
}`;

/** What draws pieces of ways on the ground: each a line, or an arrow. */
export function piecesMaterial(arrows: boolean, timed: boolean): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false,
    polygonOffset: true, polygonOffsetFactor: -3, polygonOffsetUnits: -3, side: THREE.DoubleSide,
    ...(timed ? { defines: { TIMED: '' } } : {}),
    uniforms: { width: { value: 0.004 }, lift: { value: 0.0014 }, arrows: { value: arrows ? 1 : 0 },
      now: { value: 0 }, colour: { value: new THREE.Color() },
      heights: { value: null }, corner: { value: new THREE.Vector4() }, nodes: { value: new THREE.Vector2() } },
  });
}

/** Corners of one piece, of which there are as many as instances. */
export function piecesGeometry(arrows: boolean): THREE.InstancedBufferGeometry {
  const geometry = new THREE.InstancedBufferGeometry();
  const corners = arrows ? [0, -0.5, 0, 1, 0, 0, 0, 0.5, 0] : [0, -0.5, 0, 1, -0.5, 0, 1, 0.5, 0, 0, -0.5, 0, 1, 0.5, 0, 0, 0.5, 0];
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  return geometry;
}

/** Heights for the pieces of ways to lie on; none on a plane. */
export function groundTexture(ground: Ground | undefined): THREE.DataTexture | undefined {
  if (!ground) return undefined;
  const [nx, ny] = pictureNodes(ground);
  const heights = new THREE.DataTexture(pictureHeights(ground), nx, ny, THREE.RedFormat, THREE.FloatType);
  heights.needsUpdate = true;
  return heights;
}

export function layOn({ uniforms }: THREE.ShaderMaterial, ground: Ground | undefined, heights: THREE.DataTexture | undefined): void {
  uniforms.heights!.value = heights ?? null;
  const [nx, ny] = ground ? pictureNodes(ground) : [0, 0];
  (uniforms.nodes!.value as THREE.Vector2).set(nx!, ny!);
  if (ground) (uniforms.corner!.value as THREE.Vector4).set(ground.minX, ground.minY, ground.maxX, ground.maxY);
}

class Ring {
  readonly mesh: THREE.Mesh;
  private readonly piece = new THREE.InstancedBufferAttribute(new Float32Array(4 * MOST), 4);
  private readonly paint = new THREE.InstancedBufferAttribute(new Float32Array(4 * MOST), 4);
  private readonly geometry: THREE.InstancedBufferGeometry;
  readonly material: THREE.ShaderMaterial;
  private next = 0;

  constructor(arrows: boolean) {
    this.geometry = piecesGeometry(arrows);
    this.geometry.setAttribute('piece', this.piece);
    this.geometry.setAttribute('paint', this.paint);
    this.geometry.instanceCount = 0;
    this.material = piecesMaterial(arrows, false);
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  add(step: Step, colour: THREE.Color): void {
    this.piece.setXYZW(this.next, step.fromX, step.fromY, step.toX, step.toY);
    this.paint.setXYZW(this.next, colour.r, colour.g, colour.b, step.odometry ? 1 : 0);
    this.piece.addUpdateRange(4 * this.next, 4);
    this.paint.addUpdateRange(4 * this.next, 4);
    this.piece.needsUpdate = this.paint.needsUpdate = true;
    this.next = (this.next + 1) % MOST;
    this.geometry.instanceCount = Math.max(this.geometry.instanceCount, this.next);
    if (this.next === 0) this.geometry.instanceCount = MOST;
  }

  clear(): void {
    this.next = 0;
    this.geometry.instanceCount = 0;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

export class Traces {
  readonly group = new THREE.Group();
  private readonly lines = new Ring(false);
  private readonly arrows = new Ring(true);
  private readonly sinceArrow = new Map<string, number>();
  private readonly colour = new THREE.Color();
  private reach = 0.053;
  private heights: THREE.DataTexture | undefined;

  constructor(private odometryColour: number) {
    this.group.add(this.lines.mesh, this.arrows.mesh);
    this.setStyle('off');
  }

  setStyle(style: TraceStyle): void {
    this.lines.mesh.visible = style === 'line';
    this.arrows.mesh.visible = style === 'arrows';
  }

  /** Of the scene's robots, m: arrows and heights are in proportion. */
  setReach(reach: number): void {
    this.reach = reach;
    for (const { material } of [this.lines, this.arrows]) material.uniforms.lift!.value = 0.026 * reach;
  }

  /** Ways lie on this ground; on a plane where there is none. */
  setGround(ground: Ground | undefined): void {
    this.heights?.dispose();
    this.heights = groundTexture(ground);
    for (const { material } of [this.lines, this.arrows]) layOn(material, ground, this.heights);
  }

  /** How wide lines are, m: the same on the screen at any distance. */
  setWidth(width: number): void {
    this.lines.material.uniforms.width!.value = width;
    this.arrows.material.uniforms.width!.value = Math.max(width, ARROW_WIDTH * this.reach);
  }

  add(step: Step, bodyColour: number): void {
    this.colour.setHex(step.odometry ? this.odometryColour : bodyColour);
    // Paler than the body, so that it stands out from any ground.
    if (!step.odometry) this.colour.lerp(WHITE, 0.3);
    const key = `${step.body}${step.odometry}`;
    const way = (this.sinceArrow.get(key) ?? 0) + Math.hypot(step.toX - step.fromX, step.toY - step.fromY);
    const arrow = way >= ARROW_EVERY * this.reach;
    if (arrow) this.arrows.add(step, this.colour);
    this.sinceArrow.set(key, arrow ? 0 : way);
    // Dashed: what the wheels tell is not where the robot was.
    if (!step.gap) this.lines.add(step, this.colour);
  }

  clear(): void {
    this.lines.clear();
    this.arrows.clear();
    this.sinceArrow.clear();
  }

  dispose(): void {
    this.heights?.dispose();
    this.lines.dispose();
    this.arrows.dispose();
  }
}

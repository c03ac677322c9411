// What helps the hand: rings around bodies, the pull of the mouse, the ghost of a body to be put or sent,
// and the arrow of a push or of a goal.

import * as THREE from 'three';
import type { BodyInfo } from '../state/scene';
import { DrapedRing } from './drape';
import { merge, prism, ringOf } from './geometry';
import type { Ground } from '../state/ground';

export interface Gesture {
  kind: 'grab' | 'place' | 'push' | 'goal';
  body: number;
  /** Where it is held, or to be sent, in the world, m. */
  fromX: number;
  fromY: number;
  /** Where the hand is, or where the body would be put. */
  toX: number;
  toY: number;
  heading: number;
}

function ring(colour: number, opacity: number): THREE.Mesh {
  const material = new THREE.MeshBasicMaterial({
    color: colour, transparent: true, opacity, depthWrite: false, polygonOffset: true,
    polygonOffsetFactor: -4, polygonOffsetUnits: -4,
  });
  const mesh = new THREE.Mesh(new THREE.RingGeometry(1, 1.09, 64), material);
  mesh.position.z = 0.002;
  mesh.visible = false;
  return mesh;
}

export class Overlay {
  readonly group = new THREE.Group();
  private readonly selected: THREE.Mesh;
  private readonly hovered: THREE.Mesh;
  private readonly arrow: THREE.Mesh;
  private readonly ghostMaterial: THREE.MeshBasicMaterial;
  private ghost: THREE.Mesh | undefined;
  private ghostOf = -1;
  private readonly draped: { selected: DrapedRing; hovered: DrapedRing };
  /** Rough ground, which everything here lies on. */
  ground: Ground | undefined;

  constructor(accent: number) {
    this.selected = ring(accent, 0.95);
    this.hovered = ring(0xffffff, 0.55);
    const shape = [[0, -0.1], [0.72, -0.1], [0.72, -0.3], [1, 0], [0.72, 0.3], [0.72, 0.1], [0, 0.1]].map(
      ([x, y]) => new THREE.Vector2(x, y),
    );
    const flat = new THREE.ShapeGeometry(new THREE.Shape(shape));
    const material = new THREE.MeshBasicMaterial({
      color: accent, transparent: true, opacity: 0.85, depthTest: false, side: THREE.DoubleSide,
    });
    this.arrow = new THREE.Mesh(flat, material);
    this.arrow.renderOrder = 6;
    this.arrow.visible = false;
    this.ghostMaterial = new THREE.MeshBasicMaterial({ color: accent, transparent: true, opacity: 0.45 });
    this.group.add(this.selected, this.hovered, this.arrow);
    const over = (mesh: THREE.Mesh) => new DrapedRing(mesh.material as THREE.Material);
    this.draped = { selected: over(this.selected), hovered: over(this.hovered) };
    this.group.add(this.draped.selected.mesh, this.draped.hovered.mesh);
  }

  /** `least`: radius at which a ring is still seen from here, m. */
  ringAround(which: 'selected' | 'hovered', body: BodyInfo | undefined, x: number, y: number, least: number): void {
    const mesh = this[which];
    mesh.visible = body !== undefined && !this.ground;
    this.draped[which].mesh.visible = body !== undefined && this.ground !== undefined;
    if (!body) return;
    if (this.ground) {
      this.draped[which].lay(this.ground, x, y, Math.max(1.22 * body.reach, least));
      return;
    }
    mesh.position.x = x;
    mesh.position.y = y;
    mesh.position.z = 0.04 * body.reach;
    mesh.scale.setScalar(Math.max(1.22 * body.reach, least));
  }

  show(gesture: Gesture | undefined, body: BodyInfo | undefined): void {
    const placing = gesture?.kind === 'place' && body !== undefined;
    const sending = gesture?.kind === 'goal' && body !== undefined;
    if (this.ghost) this.ghost.visible = placing || sending;
    this.arrow.visible = gesture !== undefined && gesture.kind !== 'place';
    if (!gesture || !body) return;
    if (placing) {
      this.haunt(body);
      this.ghost!.visible = true;
      const floor = this.ground?.height(gesture.toX, gesture.toY) ?? 0;
      this.ghost!.position.set(gesture.toX, gesture.toY, floor + 0.5 * body.reach);
      this.ghost!.rotation.z = gesture.heading;
      return;
    }
    if (sending) return this.sendTo(gesture, body);
    const dx = gesture.toX - gesture.fromX;
    const dy = gesture.toY - gesture.fromY;
    const length = Math.hypot(dx, dy);
    this.arrow.visible = length > 0.1 * body.reach;
    const floor = this.ground?.height(gesture.fromX, gesture.fromY) ?? 0;
    this.arrow.position.set(gesture.fromX, gesture.fromY, floor + body.height + 0.08 * body.reach);
    this.arrow.rotation.z = Math.atan2(dy, dx);
    this.arrow.scale.set(length, Math.min(1.1 * body.reach, 0.4 * body.reach + length * 0.2) * (gesture.kind === 'grab' ? 0.5 : 1), 1);
  }

  /** The robot where it would be, and an arrow from it to the hand: at least as long as the robot. */
  private sendTo(gesture: Gesture, body: BodyInfo): void {
    this.haunt(body);
    this.ghost!.visible = true;
    const floor = this.ground?.height(gesture.fromX, gesture.fromY) ?? 0;
    this.ghost!.position.set(gesture.fromX, gesture.fromY, floor + 0.02 * body.reach);
    this.ghost!.rotation.z = gesture.heading;
    const length = Math.max(2.4 * body.reach, Math.hypot(gesture.toX - gesture.fromX, gesture.toY - gesture.fromY));
    this.arrow.position.set(gesture.fromX, gesture.fromY, floor + body.height + 0.08 * body.reach);
    this.arrow.rotation.z = gesture.heading;
    this.arrow.scale.set(length, 0.9 * body.reach, 1);
  }

  dispose(): void {
    this.draped.selected.dispose();
    this.draped.hovered.dispose();
    for (const mesh of [this.selected, this.hovered, this.arrow, this.ghost]) {
      mesh?.geometry.dispose();
      (mesh?.material as THREE.Material | undefined)?.dispose();
    }
  }

  private haunt(body: BodyInfo): void {
    if (this.ghostOf === body.number) return;
    if (this.ghost) {
      this.group.remove(this.ghost);
      this.ghost.geometry.dispose();
    }
    const rings = body.source.outlines.map(ringOf).filter((points) => points.length > 2);
    this.ghost = new THREE.Mesh(merge(rings.map((points) => prism(points, 0, body.height))), this.ghostMaterial);
    this.ghostOf = body.number;
    this.group.add(this.ghost);
  }
}

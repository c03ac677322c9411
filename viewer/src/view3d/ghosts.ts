// Bodies of other runs over those of this one: translucent, in a tint of their own; or as they are, beside them.

import * as THREE from 'three';
import { Snapshot } from '../state/snapshot';
import type { GhostLook } from '../view';
import { Bodies, type Detail } from './bodies';

/** How much of a ghost is seen: it does not hide the run, and can be told from its shadows. */
const OPACITY = 0.5;
/** Share of its own colour that a body keeps, so that teams can be told apart. */
const OWN = 0.3;

interface Figure {
  look: GhostLook;
  beside: boolean;
  bodies: Bodies;
  latest: Snapshot;
}

export class Ghosts {
  readonly group = new THREE.Group();
  private figures: Figure[] = [];
  private looks: readonly GhostLook[] = [];
  private beside: string | undefined;
  private detail: Detail = { low: true, shadows: false };

  setDetail(detail: Detail): void {
    this.detail = detail;
    this.rebuild([], undefined);
  }

  update(looks: readonly GhostLook[], beside: string | undefined): void {
    if (looks !== this.looks || beside !== this.beside) this.rebuild(looks, beside);
    for (const { look, bodies, latest } of this.figures) if (look.visible) bodies.update(look.shown, latest);
  }

  /** `beside`: only that ghost, or (null) all others. */
  show(beside: string | null): void {
    for (const { look, bodies, beside: isBeside } of this.figures) {
      bodies.group.visible = look.visible && (beside === null ? !isBeside : look.key === beside);
    }
  }

  dispose(): void {
    this.rebuild([], undefined);
  }

  private rebuild(looks: readonly GhostLook[], beside: string | undefined): void {
    for (const { bodies } of this.figures) {
      this.group.remove(bodies.group);
      bodies.dispose();
    }
    [this.looks, this.beside] = [looks, beside];
    this.figures = looks.map((look) => {
      const isBeside = look.key === beside;
      const bodies = new Bodies(isBeside ? look.scene : tinted(look), isBeside ? this.detail : { ...this.detail, shadows: false });
      if (!isBeside) makeTranslucent(bodies.group);
      this.group.add(bodies.group);
      return { look, beside: isBeside, bodies, latest: Snapshot.for(look.scene) };
    });
  }
}

function tinted({ scene, tint }: GhostLook): GhostLook['scene'] {
  const towards = new THREE.Color(tint);
  const mix = (colour: number, own: number) => new THREE.Color(colour).lerp(towards, 1 - own).getHex();
  return { ...scene, bodies: scene.bodies.map((body) => {
    const tag = body.source.tag.map((patch) => ({ ...patch, colour: mix(patch.colour, OWN) }));
    // Of no material, so that their colour is what is seen of them.
    return { ...body, colour: mix(body.colour, OWN), tagColour: mix(body.tagColour, OWN), source: { ...body.source, tag, material: 0, lid: 0 } };
  }) };
}

function makeTranslucent(group: THREE.Group): void {
  group.traverse((part) => {
    if (!(part instanceof THREE.Mesh)) return;
    part.castShadow = part.receiveShadow = false;
    const material = part.material as THREE.Material;
    material.transparent = true;
    material.opacity = OPACITY;
  });
}

// Whole ways on the ground, of the run and of what is compared with it: what is to come fainter than what was.

import * as THREE from 'three';
import type { Ground } from '../state/ground';
import type { Course } from '../state/course';
import type { CourseLook } from '../view';
import { ARROW_EVERY, ARROW_WIDTH, groundTexture, layOn, piecesGeometry, piecesMaterial } from './traces';

/** So many arrows show where a way goes; more are a hedge. */
const MOST_ARROWS = 600;
/** Above the traces of the run, in reaches: where both lie on one another, both are seen to be there. */
const LIFT_REACHES = 0.032;

interface Drawn {
  look: CourseLook;
  mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
}

export class Courses {
  readonly group = new THREE.Group();
  private drawn: Drawn[] = [];
  private looks: readonly CourseLook[] = [];
  private ground: Ground | undefined;
  private heights: THREE.DataTexture | undefined;
  private reach = 0.053;

  setGround(ground: Ground | undefined): void {
    this.heights?.dispose();
    this.ground = ground;
    this.heights = groundTexture(ground);
    this.rebuild([]);
  }

  setReach(reach: number): void {
    this.reach = reach;
    this.rebuild([]);
  }

  /** `beside`: only those of that ghost, or (null) all others. */
  show(beside: string | null): void {
    for (const { look, mesh } of this.drawn) mesh.visible = (beside === null ? !look.beside : look.ghost === beside);
  }

  /** `runTimeS`: the instant that is shown; `width`: of lines, m. */
  update(looks: readonly CourseLook[], runTimeS: number, width: number): void {
    if (looks !== this.looks) this.rebuild(looks);
    for (const { look, mesh } of this.drawn) {
      const { uniforms } = mesh.material;
      uniforms.now!.value = runTimeS - look.course.startS;
      uniforms.width!.value = look.style === 'arrows' ? Math.max(width, ARROW_WIDTH * this.reach) : width;
    }
  }

  dispose(): void {
    this.heights?.dispose();
    this.rebuild([]);
  }

  private rebuild(looks: readonly CourseLook[]): void {
    for (const { mesh } of this.drawn) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.looks = looks;
    this.drawn = looks.filter(({ course }) => course.count > 0).map((look) => ({ look, mesh: this.make(look) }));
  }

  private make({ course, colour, style }: CourseLook): Drawn['mesh'] {
    const arrows = style === 'arrows';
    const chosen = arrows ? arrowsOf(course, Math.max(ARROW_EVERY * this.reach, course.length / MOST_ARROWS)) : course;
    const geometry = piecesGeometry(arrows);
    geometry.setAttribute('piece', new THREE.InstancedBufferAttribute(chosen.pieces, 4));
    geometry.setAttribute('done', new THREE.InstancedBufferAttribute(chosen.times, 1));
    geometry.instanceCount = chosen.count;
    const material = piecesMaterial(arrows, true);
    (material.uniforms.colour!.value as THREE.Color).setHex(colour);
    material.uniforms.lift!.value = LIFT_REACHES * this.reach;
    layOn(material, this.ground, this.heights);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }
}

/** Those pieces of a way at whose ends an arrow stands. */
function arrowsOf({ count, pieces, times }: Course, everyM: number): Pick<Course, 'count' | 'pieces' | 'times'> {
  const chosen: number[] = [];
  let way = 0;
  for (let i = 0; i < count; i++) {
    way += Math.hypot(pieces[4 * i + 2]! - pieces[4 * i]!, pieces[4 * i + 3]! - pieces[4 * i + 1]!);
    if (way < everyM) continue;
    chosen.push(i);
    way = 0;
  }
  return {
    count: chosen.length,
    pieces: new Float32Array(chosen.flatMap((i) => [...pieces.subarray(4 * i, 4 * i + 4)])),
    times: new Float32Array(chosen.map((i) => times[i]!)),
  };
}

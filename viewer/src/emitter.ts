// Tells listeners that something changed.

export class Emitter<Topics extends Record<string, unknown>> {
  private readonly listeners = new Map<keyof Topics, Set<(value: never) => void>>();

  on<T extends keyof Topics>(topic: T, listener: (value: Topics[T]) => void): void {
    const known = this.listeners.get(topic) ?? new Set();
    known.add(listener as (value: never) => void);
    this.listeners.set(topic, known);
  }

  emit<T extends keyof Topics>(topic: T, value: Topics[T]): void {
    for (const listener of this.listeners.get(topic) ?? []) (listener as (value: Topics[T]) => void)(value);
  }
}

import type { Node } from 'oxc-parser'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'

/** What cannot be known without running the program. */
export const UNKNOWN: unique symbol = Symbol('unknown')

/** The key that an object has if it may have any other: part of it cannot be known. */
export const OTHERS: unique symbol = Symbol('others')

/** The value of a variable of the environment: undefined if it is not set, {@link UNKNOWN} if it is not to be used. */
export type ReadVariable = (name: string) => string | typeof UNKNOWN | undefined

/** What names of packages stand for, where we know it. */
export interface Meanings {
  readonly variable: ReadVariable
  /** What a name imported from a package stands for, or {@link UNKNOWN}. */
  imported(module: string, name: string): unknown
}

/** A function that can be called while reading: it gets what is known of its arguments. */
export class Callable {
  readonly call: (args: readonly unknown[]) => unknown

  constructor(call: (args: readonly unknown[]) => unknown) {
    this.call = call
  }
}

/** What stands for any function of the application: it is there, and is never called. */
export const someFunction = (): void => {}

/** What is read, while it is read. */
export interface Reading {
  readonly sources: Sources
  readonly meanings: Meanings
  /** The declarations that are being read. */
  readonly seen: Set<Node>
  /** The value of a node of a file. */
  read(node: Node | null | undefined, within: Source): unknown
}

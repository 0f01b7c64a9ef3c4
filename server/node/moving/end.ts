import type { TokenLine } from '../../federation/partners/user-tokens.ts';
import type { PartitionContent } from '../../store/moving/content.ts';
import type { MoveMark } from '../../store/moving/mark.ts';
import type { AllNotes } from '../../store/recovery/withdrawals/notes.ts';
import type { Noted } from '../../store/recovery/withdrawals/reach.ts';

/** What an office has beside its store: it moves with it, so that nobody notices. What is not there was never needed. */
export interface Belongings {
  /** In hex; opens what partners are called with. */
  readonly secretsKey?: string;
  /** In hex; signs tokens of users. */
  readonly userKey?: string;
  /** With its key, as PEM; by it partners know the office. */
  readonly certificate?: string;
  readonly tokens: readonly TokenLine[];
  /** Of what was taken back. */
  readonly notes?: AllNotes;
  readonly reach?: Noted;
}

/** One end of a move, which nobody else uses or serves meanwhile. */
export interface MoveEnd {
  /** What it is called in marks and to people: without user and password. */
  readonly name: string;
  mark(): Promise<MoveMark | undefined>;
  /** Resolves when it is durable. */
  setMark(mark: MoveMark | undefined): Promise<void>;
  partitions(): Promise<readonly string[]>;
  content(partition: string): Promise<PartitionContent>;
  belongings(): Promise<Belongings>;
  /** Whether no office is there, nor was. */
  isEmpty(): Promise<boolean>;
  /** Brings a partition here, or what is missing of it. */
  fill(partition: string, content: PartitionContent): Promise<void>;
  /** What was brought of a partition goes. */
  discard(partition: string): Promise<void>;
  putBelongings(all: Belongings): Promise<void>;
  /** From here on what was brought is the office that is served here. */
  arrive(mark: MoveMark): Promise<void>;
  /** Removes what was brought of an office that has not arrived. */
  clear(): Promise<void>;
  /** Gives it to whoever waits. */
  close(): Promise<void>;
}

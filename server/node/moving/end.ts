import type { TokenLine } from '../../federation/partners/user-tokens.ts';
import type { PartitionContent } from '../../store/moving/content.ts';
import type { MoveMark } from '../../store/moving/mark.ts';
import type { RevocationEntries } from '../../store/recovery/withdrawals/revocations.ts';
import type { Noted } from '../../store/recovery/withdrawals/log-position.ts';

/** Keys and files beside an office's store that move with it. Items may be missing. */
export interface Belongings {
  /** The key, in hex, that decrypts our tokens for partners. */
  readonly secretsKey?: string;
  /** The key, in hex, that signs users' tokens. */
  readonly userKey?: string;
  /** Certificate with key, as PEM; partners know the office by it. */
  readonly certificate?: string;
  readonly tokens: readonly TokenLine[];
  readonly notes?: RevocationEntries;
  readonly reach?: Noted;
}

/** One end of a move, which nobody else uses meanwhile. Reads the incomplete copy while an office moves here. */
export interface MoveEnd {
  /** The place in words, without user and password. */
  readonly name: string;
  /** Reads the mark of a move; undefined without one. */
  mark(): Promise<MoveMark | undefined>;
  /** Writes the mark durably; undefined removes it. */
  setMark(mark: MoveMark | undefined): Promise<void>;
  /** Returns the names of all partitions; during an arrival those of the incomplete copy. */
  partitions(): Promise<readonly string[]>;
  /** Reads a partition; during an arrival its incomplete copy. */
  content(partition: string): Promise<PartitionContent>;
  /** Reads keys, users' tokens and the revocation log. */
  readBelongings(): Promise<Belongings>;
  /** Returns whether no office is, or was, there. */
  isEmpty(): Promise<boolean>;
  /** Copies what a partition of the incomplete copy lacks; all if the source has changed since. */
  fillPartition(partition: string, content: PartitionContent): Promise<void>;
  /** Removes a partition from the incomplete copy. */
  discard(partition: string): Promise<void>;
  /** Replaces keys, users' tokens and the revocation log; removes what `all` lacks. */
  putBelongings(all: Belongings): Promise<void>;
  /** Makes the copied office the one served here, and writes its mark. */
  completeArrival(mark: MoveMark): Promise<void>;
  /** Removes the incomplete copy with its keys and tokens. */
  removeCopy(): Promise<void>;
  /** Closes the end, and releases it to other processes. */
  close(): Promise<void>;
}

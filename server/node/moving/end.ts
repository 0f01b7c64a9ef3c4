import type { TokenLine } from '../../federation/partners/user-tokens.ts';
import type { PartitionContent } from '../../store/moving/content.ts';
import type { MoveMark } from '../../store/moving/mark.ts';
import type { RevocationEntries } from '../../store/recovery/withdrawals/revocations.ts';
import type { Noted } from '../../store/recovery/withdrawals/log-position.ts';

/** Keys and files beside an office's store that move with it. Items may be missing. */
export interface Belongings {
  /** Decrypts our tokens for partners; in hex. */
  readonly secretsKey?: string;
  /** Signs users' tokens; in hex. */
  readonly userKey?: string;
  /** Certificate with key, as PEM. */
  readonly certificate?: string;
  readonly tokens: readonly TokenLine[];
  readonly notes?: RevocationEntries;
  readonly reach?: Noted;
}

/** One end of a move, used by nobody else. During an arrival, reads the incomplete copy. */
export interface MoveEnd {
  /** In words, without user and password. */
  readonly name: string;
  /** Reads the move's mark, if any. */
  mark(): Promise<MoveMark | undefined>;
  /** Writes the mark durably; undefined: removes it. */
  setMark(mark: MoveMark | undefined): Promise<void>;
  /** Returns all partitions' names. */
  partitions(): Promise<readonly string[]>;
  /** Reads a partition. */
  content(partition: string): Promise<PartitionContent>;
  /** Reads keys, users' tokens and the revocation log. */
  readBelongings(): Promise<Belongings>;
  /** Returns whether no office is or was there. */
  isEmpty(): Promise<boolean>;
  /** Completes a partition of the incomplete copy; copies all if the source has changed. */
  fillPartition(partition: string, content: PartitionContent): Promise<void>;
  /** Removes a partition of the incomplete copy. */
  discard(partition: string): Promise<void>;
  /** Replaces the belongings; removes what `all` lacks. */
  putBelongings(all: Belongings): Promise<void>;
  /** Puts the copied office in service, and writes its mark. */
  completeArrival(mark: MoveMark): Promise<void>;
  /** Removes the incomplete copy, with keys and tokens. */
  removeCopy(): Promise<void>;
  /** Closes the end, releasing it to others. */
  close(): Promise<void>;
}

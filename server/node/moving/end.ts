import type { TokenLine } from '../../federation/partners/user-tokens.ts';
import type { PartitionContent } from '../../store/moving/content.ts';
import type { MoveMark } from '../../store/moving/mark.ts';
import type { RevocationEntries } from '../../store/recovery/withdrawals/revocations.ts';
import type { Noted } from '../../store/recovery/withdrawals/log-position.ts';

/** What an office has beside its store and moves with it. Missing items were never needed. */
export interface Belongings {
  /** In hex; decrypts our tokens for partners. */
  readonly secretsKey?: string;
  /** In hex; signs users' tokens. */
  readonly userKey?: string;
  /** With its key, as PEM; partners know the office by it. */
  readonly certificate?: string;
  readonly tokens: readonly TokenLine[];
  /** The revocation log. */
  readonly notes?: RevocationEntries;
  readonly reach?: Noted;
}

/** One end of a move, which nobody else uses meanwhile. */
export interface MoveEnd {
  /** Without user and password. */
  readonly name: string;
  mark(): Promise<MoveMark | undefined>;
  /** Durable when it resolves. */
  setMark(mark: MoveMark | undefined): Promise<void>;
  partitions(): Promise<readonly string[]>;
  content(partition: string): Promise<PartitionContent>;
  belongings(): Promise<Belongings>;
  /** Returns whether no office is, or was, there. */
  isEmpty(): Promise<boolean>;
  /** Copies a partition here, or its missing part. */
  fill(partition: string, content: PartitionContent): Promise<void>;
  /** Removes the copied part of a partition. */
  discard(partition: string): Promise<void>;
  putBelongings(all: Belongings): Promise<void>;
  /** Makes the copied office the one served here. */
  arrive(mark: MoveMark): Promise<void>;
  /** Removes what was copied of an office that has not arrived. */
  clear(): Promise<void>;
  /** Releases it for the next process. */
  close(): Promise<void>;
}

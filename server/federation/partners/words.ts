import { createHash, scrypt } from 'node:crypto';

/** Known to both sides; `A` is the inviter. Hashes: SHA-256, lower-case hex. */
export interface WordsInput {
  /** Hash of its secret. */
  readonly invite: string;
  /** Hash of the token this side issued. */
  readonly tokenA: string;
  readonly tokenB: string;
  /** A's from the invite, B's from its request. */
  readonly certificateA?: string | undefined;
  readonly certificateB?: string | undefined;
  /** Addresses likewise. */
  readonly addressA: string;
  readonly addressB: string;
  /** Each side's own id of the pair. */
  readonly nodeA: string;
  readonly nodeB: string;
  /** By `canonicalRoutes`, if both versions know routes. */
  readonly routesA?: string | undefined;
  readonly routesB?: string | undefined;
}

/** Returns whether either side announced routes, which are part of the words then. */
export const hasRoutes = ({ routesA = '', routesB = '' }: Pick<WordsInput, 'routesA' | 'routesB'>): boolean =>
  routesA !== '' || routesB !== '';

const WORDS = 5;

/**
 * Makes five verification words, separated by spaces: 40 bits, of which each try of a search costs an scrypt of 16 MiB
 * (docs/pairing.md: What is kept, and what it opens).
 */
export async function verificationWords(input: WordsInput): Promise<string> {
  const isRouted = hasRoutes(input);
  const text = JSON.stringify([
    `footbridge verification words ${isRouted ? 3 : 2}`,
    input.invite,
    [
      ...[input.nodeA, input.addressA, input.certificateA ?? '', input.tokenA],
      ...(isRouted ? [input.routesA ?? ''] : []),
    ],
    [
      ...[input.nodeB, input.addressB, input.certificateB ?? '', input.tokenB],
      ...(isRouted ? [input.routesB ?? ''] : []),
    ],
  ]);
  const digest = createHash('sha256').update(text).digest();
  const bytes = await deriveWordBytes(digest);
  return Array.from(bytes, (byte) => WORD_LIST[byte]).join(' ');
}

/** Derives one byte for each word by scrypt, so that a search costs much. */
function deriveWordBytes(digest: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(digest, 'footbridge words', WORDS, { N: 2 ** 14, r: 8, p: 1 }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** For the telephone: none share three first letters or differ by one. Never reorder. */
export const WORD_LIST: readonly string[] = `
  acorn album alpaca amber anchor angel apple apron arrow atlas autumn avocado bacon badger balcony bamboo
  banana barrel basket beaver bicycle biscuit blanket blossom bonfire bottle bracelet bridge broccoli
  buffalo bungalow butter cabin cactus camel candle caravan castle cathedral ceiling cello chalk cherry
  chimney chocolate cinema circus clarinet cloud coconut coffee compass copper coral cotton cowboy cricket
  crocodile cucumber curtain cushion cyclone dahlia december desert diamond dinosaur dolphin dragon drum
  duckling eagle easel echo elbow elephant emerald engine envelope evening falcon feather ferry fiddle
  finger flamingo flute football forest fossil galaxy garlic gazelle giraffe glacier goblin goldfish
  gorilla grapefruit guitar gymnast hammer harbour hazelnut hedgehog helmet heron hippo honey hotel
  hurricane husky iceberg igloo indigo insect island ivory jacket jaguar jasmine jelly jigsaw jungle
  kangaroo kayak kettle kimono kitchen kiwi koala ladder lagoon lantern lavender lemon leopard lettuce
  library lighthouse lilac lizard lobster locomotive lullaby magnet mango maple marble meadow mermaid
  microscope mirror monkey mosquito mountain muffin mushroom napkin necklace noodle november nutmeg oasis
  octopus olive omelette onion orchid ostrich otter oxygen oyster paddle panther papaya parrot peanut
  pelican penguin pepper piano picnic pilot pirate planet plumber popcorn pretzel pumpkin puppet pyramid
  quilt rabbit radish raincoat raspberry raven ribbon robot rocket rosemary rubber sailor salmon sandal
  saturn scarecrow scissors seagull shadow shovel silver skeleton snowman spider squirrel stadium
  submarine sugar sunflower swallow tadpole teapot telescope thunder tiger toaster tomato tornado tractor
  treasure trumpet tulip tunnel turtle umbrella unicorn valley vampire vanilla velvet violin volcano
  waffle walnut wardrobe watermelon whale whistle window yacht yogurt zebra zeppelin zigzag
`
  .trim()
  .split(/\s+/);

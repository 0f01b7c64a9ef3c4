/**
 * 256 everyday words that are hard to confuse on the telephone: no two begin with the same three letters, and
 * none becomes another by changing a letter. Their order is part of the protocol between Footbridges: never
 * change it.
 */
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

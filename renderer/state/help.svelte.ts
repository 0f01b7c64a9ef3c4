export type HelpTopic = 'keys' | 'sees';

export interface Help {
  readonly topic: HelpTopic | undefined;
  show(topic: HelpTopic): void;
  close(): void;
}

/** Creates the help's state: the topic that is shown, at first none. */
export function createHelp(): Help {
  let topic = $state<HelpTopic>();
  return {
    get topic() {
      return topic;
    },
    show(asked) {
      topic = asked;
    },
    close() {
      topic = undefined;
    },
  };
}
